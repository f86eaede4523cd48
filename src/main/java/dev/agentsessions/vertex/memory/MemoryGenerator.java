package dev.agentsessions.vertex.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.Fact.FactBody;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.NewFact;
import dev.agentsessions.search.FactService.Store.FactChange;
import dev.agentsessions.search.FactService.Store.StoredFact;
import dev.agentsessions.search.MemoryAccess;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.Turn.SaidText;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.vertex.ReasoningEngine;
import dev.agentsessions.vertex.event.WireTime;
import dev.agentsessions.vertex.memory.MemoryFields.MemoryNames;
import dev.agentsessions.vertex.memory.MemoryFields.MemoryScopes;
import dev.agentsessions.vertex.memory.MemoryResource.MemoryMetadata;

/**
 * Makes memories of texts that a client sends, without a model. What the sessions of the
 * user say already is found without a memory.
 */
@Component
class MemoryGenerator {

	static final String CONTENTS = "directContentsSource";

	private static final String MEMORIES = "directMemoriesSource";

	private static final String SESSION = "vertexSessionSource";

	/** As many as the protocol allows. */
	private static final int MAX_MEMORIES = 5;

	/** Each may become a fact, in a transaction of its own. */
	private static final int MAX_CONTENTS = 500;

	private final FactService facts;

	private final SearchService search;

	private final SessionService sessions;

	private final MemoryAccess access;

	MemoryGenerator(FactService facts, SearchService search, SessionService sessions, MemoryAccess access) {
		this.facts = facts;
		this.search = search;
		this.sessions = sessions;
		this.access = access;
	}

	/** Returns the memories that were created or updated. */
	List<Map<String, Object>> generate(ReasoningEngine engine, JsonObject request) {
		List<String> sources = List.of(SESSION, CONTENTS, MEMORIES)
			.stream()
			.filter((name) -> request.get(name) != null)
			.toList();
		InvalidArgument.check(sources.size() == 1, "The source",
				"must be one of " + SESSION + ", " + CONTENTS + " and " + MEMORIES);
		JsonObject source = request.requiredObject(sources.get(0)).renamed(MemoryNames.SOURCE);
		return switch (sources.get(0)) {
			case SESSION -> ofSession(engine, source);
			case CONTENTS -> ofContents(engine, request, source);
			default -> ofMemories(engine, request, source);
		};
	}

	/** Indexes a session, so that the next retrieval is fast. */
	private List<Map<String, Object>> ofSession(ReasoningEngine engine, JsonObject source) {
		String name = source.requiredString("session");
		String sessions = "/reasoningEngines/" + engine.id() + "/sessions/";
		int begin = ("/" + name).lastIndexOf(sessions);
		InvalidArgument.check(begin >= 0, "session", "must be the name of a session of this engine");
		String sessionId = ("/" + name).substring(begin + sessions.length());
		this.search.index(this.sessions.locate(Access.WRITE, engine.appName(), sessionId));
		return List.of();
	}

	/** Stores each text that no session of the user says, word for word. */
	List<Map<String, Object>> ofContents(ReasoningEngine engine, JsonObject request, JsonObject source) {
		MemoryScope scope = writable(engine, request);
		List<JsonObject> events = source.objects("events");
		InvalidArgument.check(events.size() <= MAX_CONTENTS, "events", "must have at most " + MAX_CONTENTS);
		Map<String, FactBody> said = new LinkedHashMap<>();
		events.stream()
			.map((event) -> SentContent.of(event, MemoryMetadata.plain(request)))
			.flatMap(Optional::stream)
			.forEach((content) -> said.putIfAbsent(content.text(), content.body()));
		Set<String> unsaid = scope.user().map((user) -> this.search.unsaid(user, said.keySet())).orElse(said.keySet());
		List<Map<String, Object>> generated = new ArrayList<>();
		unsaid.forEach((text) -> {
			StoredFact stored = this.facts.remember(scope, newFact(said.get(text)));
			if (stored.isNew()) {
				generated.add(generated(engine, scope, stored.fact(), "CREATED"));
			}
		});
		return generated;
	}

	/** Stores facts. One that says the same as a stored one updates it. */
	private List<Map<String, Object>> ofMemories(ReasoningEngine engine, JsonObject request, JsonObject source) {
		MemoryScope scope = writable(engine, request);
		List<FactBody> bodies = source.objects("directMemories")
			.stream()
			.map((memory) -> body(memory.renamed(MemoryNames.ITEM), MemoryMetadata.plain(request)))
			.toList();
		InvalidArgument.check(bodies.size() <= MAX_MEMORIES, "directMemories", "must have at most " + MAX_MEMORIES);
		boolean alone = request.flag("disableConsolidation");
		return bodies.stream()
			.map((body) -> alone ? this.facts.create(scope, newFact(body)) : this.facts.remember(scope, newFact(body)))
			.map((stored) -> stored.isNew() ? generated(engine, scope, stored.fact(), "CREATED")
					: updated(engine, scope, stored.fact(), MemoryMetadata.plain(request)))
			.toList();
	}

	/**
	 * Refuses a scope that the caller may not write, also if there is nothing to store.
	 */
	private MemoryScope writable(ReasoningEngine engine, JsonObject request) {
		MemoryScope scope = MemoryScopes.required(engine, request);
		this.access.check(Access.WRITE, scope);
		return scope;
	}

	private Map<String, Object> updated(ReasoningEngine engine, MemoryScope scope, Fact fact, JsonText metadata) {
		JsonObject fields = metadata.isNull() ? JsonObject.EMPTY
				: JsonObject.EMPTY.with(MemoryFields.METADATA, metadata);
		return generated(engine, scope, this.facts.update(scope, fact.id(), new FactChange(fields, null)), "UPDATED");
	}

	private static Map<String, Object> generated(ReasoningEngine engine, MemoryScope scope, Fact fact, String action) {
		return Map.of("memory", MemoryResource.of(engine, scope, fact), "action", action);
	}

	private static FactBody body(JsonObject memory, JsonText metadata) {
		JsonText content = MemoryFields.content(memory.string("fact"));
		return FactBody.of(JsonObject.EMPTY.with("content", content).with(MemoryFields.METADATA, metadata));
	}

	private static NewFact newFact(@Nullable FactBody body) {
		if (body == null) {
			throw new JsonException.InvalidShape("events", "must say something");
		}
		return new NewFact(UUID.randomUUID().toString(), body, null);
	}

	/**
	 * The texts of an event that a client sends to be remembered.
	 *
	 * @param text its text
	 * @param body the fact to store
	 */
	record SentContent(String text, FactBody body) {

		/** Leaves room for the author, the time and small metadata. */
		private static final int MAX_BYTES = FactBody.MAX_BYTES - 4096;

		/** The size of a part without its text, in bytes of JSON. */
		private static final int PART_BYTES = 12;

		/** Reads an event; empty if it says nothing, as a function call. */
		static Optional<SentContent> of(JsonObject event, JsonText metadata) {
			JsonObject fields = event.renamed(MemoryNames.ITEM);
			fields.requiredObject("content");
			SaidText said = SaidText.of(fields);
			if (said.parts().isEmpty()) {
				return Optional.empty();
			}
			Map<String, JsonText> body = new LinkedHashMap<>();
			body.put("content", content(said));
			if (said.role() != null && !said.role().isBlank()) {
				body.put("author", JsonStrings.of(said.role()));
			}
			if (fields.get("eventTime") != null) {
				body.put("timestamp", JsonStrings.of(WireTime.read(fields, "eventTime").toString()));
			}
			body.put(MemoryFields.METADATA, metadata);
			return Optional.of(new SentContent(said.text(), FactBody.of(new JsonObject("", body))));
		}

		/**
		 * Returns the texts without images and other parts that say nothing. A text that
		 * is too large for a fact is cut: one long message must not keep the others from
		 * being stored.
		 */
		private static JsonText content(SaidText said) {
			List<String> texts = new ArrayList<>();
			int left = MAX_BYTES;
			for (String part : said.parts()) {
				String text = beginning(part, left - PART_BYTES);
				if (text.isEmpty()) {
					break;
				}
				texts.add(text);
				left -= PART_BYTES + bytes(text);
			}
			return EventFields.said(said.role(), texts);
		}

		/**
		 * Returns the longest beginning of a text that fits into a number of bytes of
		 * JSON.
		 */
		private static String beginning(String text, int maxBytes) {
			if (bytes(text) <= maxBytes) {
				return text;
			}
			int end = 0;
			int left = maxBytes;
			while (end < text.length()) {
				int next = text.offsetByCodePoints(end, 1);
				left -= bytes(text.substring(end, next));
				if (left < 0) {
					break;
				}
				end = next;
			}
			return text.substring(0, end);
		}

		/** Returns the size of a text in JSON, in bytes without its quotes. */
		private static int bytes(String text) {
			return new JsonText(JsonStrings.quote(text)).bytes() - 2;
		}

	}

}
