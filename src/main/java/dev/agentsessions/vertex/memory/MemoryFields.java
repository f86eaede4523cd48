package dev.agentsessions.vertex.memory;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.Fact.FactBody;
import dev.agentsessions.search.FactService.NewFact;
import dev.agentsessions.search.FactService.Store.FactChange;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.SessionDetails.Expiry;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.vertex.ReasoningEngine;
import dev.agentsessions.vertex.SessionFilter;
import dev.agentsessions.vertex.UpdateMask;
import dev.agentsessions.vertex.event.WireTime;
import dev.agentsessions.vertex.memory.MemoryBankController.Unimplemented;
import dev.agentsessions.vertex.memory.MemoryResource.MemoryMetadata;
import dev.agentsessions.web.DetailsFields;

/**
 * The fields of a memory in a request.
 *
 * @param fields the fields, in camelCase
 */
record MemoryFields(JsonObject fields) {

	private static final String FACT = "fact";

	/** The field with the metadata of a memory. */
	static final String METADATA = "metadata";

	private static final String TOPICS = "topics";

	/** The fields that a fact has under the same names. */
	private static final List<String> TEXTS = List.of(DetailsFields.DISPLAY_NAME, "description");

	private static final List<String> EXPIRY = List.of(DetailsFields.EXPIRE_TIME, DetailsFields.TTL);

	private static final Set<String> CHANGEABLE = Set.of(FACT, METADATA, TOPICS, DetailsFields.DISPLAY_NAME,
			"description", DetailsFields.EXPIRE_TIME, DetailsFields.TTL, MemoryScopes.SCOPE);

	static MemoryFields of(JsonObject body) {
		return new MemoryFields(body.renamed(MemoryNames.MEMORY));
	}

	/** Returns the fact to create; without an id it gets a random one. */
	NewFact toNewFact(@Nullable String id) {
		this.fields.required(FACT);
		return new NewFact((id != null && !id.isEmpty()) ? id : UUID.randomUUID().toString(),
				FactBody.of(body(CHANGEABLE)), expiry());
	}

	/**
	 * Returns the change of a memory: the fields that a mask names, or all fields of the
	 * request. A field that the mask names and the request lacks is removed.
	 */
	FactChange toChange(ReasoningEngine engine, MemoryScope scope, @Nullable String updateMask) {
		if (this.fields.get(MemoryScopes.SCOPE) != null && !MemoryScopes.required(engine, this.fields).equals(scope)) {
			throw new InvalidArgument(MemoryScopes.SCOPE, "cannot be changed");
		}
		Set<String> mask = UpdateMask.of(updateMask, this.fields, CHANGEABLE);
		boolean changesExpiry = EXPIRY.stream().anyMatch(mask::contains);
		Expiry expiry = changesExpiry ? expiry() : null;
		return new FactChange(body(mask), (changesExpiry && expiry == null) ? Expiry.NEVER : expiry);
	}

	/** Returns the body of a fact with the fields of a mask. */
	private JsonObject body(Set<String> mask) {
		Map<String, JsonText> body = new LinkedHashMap<>();
		if (mask.contains(FACT)) {
			body.put("content", content(this.fields.string(FACT)));
		}
		TEXTS.stream().filter(mask::contains).forEach((name) -> body.put(name, text(name)));
		if (mask.contains(METADATA)) {
			body.put(METADATA, MemoryMetadata.plain(this.fields));
		}
		if (mask.contains(TOPICS)) {
			body.put(TOPICS, topics());
		}
		return new JsonObject("", body);
	}

	static JsonText content(@Nullable String fact) {
		if (fact == null || fact.isBlank()) {
			throw new JsonException.InvalidShape(FACT, "must be a text that is not blank");
		}
		return EventFields.said(null, List.of(fact));
	}

	private JsonText text(String name) {
		String text = this.fields.string(name);
		return (text != null) ? JsonStrings.of(text) : JsonText.NULL;
	}

	private JsonText topics() {
		List<JsonObject> topics = this.fields.objects(TOPICS);
		return topics.isEmpty() ? JsonText.NULL : JsonText.of(topics.stream().map(MemoryFields::topic).toList());
	}

	private static JsonText topic(JsonObject sent) {
		JsonObject topic = sent.renamed(MemoryNames.TOPIC);
		Map<String, String> texts = new LinkedHashMap<>();
		MemoryNames.TOPIC.values().stream().sorted().forEach((name) -> {
			String text = topic.string(name);
			if (text != null) {
				texts.put(name, text);
			}
		});
		return JsonObject.ofTexts(texts).toJson();
	}

	private @Nullable Expiry expiry() {
		JsonText ttl = this.fields.get(DetailsFields.TTL);
		if (this.fields.get(DetailsFields.EXPIRE_TIME) == null) {
			return (ttl != null) ? Expiry.after(DetailsFields.duration(ttl.stringOrText())) : null;
		}
		InvalidArgument.check(ttl == null, DetailsFields.TTL,
				"cannot be used together with " + DetailsFields.EXPIRE_TIME);
		Instant time = WireTime.read(this.fields, DetailsFields.EXPIRE_TIME);
		InvalidArgument.check(time.isAfter(Instant.now()), DetailsFields.EXPIRE_TIME, "must be in the future");
		return Expiry.at(time);
	}

	/**
	 * The names of the fields that requests may have, by their snake_case spelling. ADK
	 * Python mixes both spellings in one request. Source:
	 * {@code memory_bank_service.proto} of {@code google.cloud.aiplatform.v1beta1}.
	 */
	static final class MemoryNames {

		/** Fields of a memory. */
		static final Map<String, String> MEMORY = FieldNames.bySnakeCase("fact", "scope", "displayName", "description",
				"ttl", "expireTime", "metadata", "topics");

		/** Fields of a topic. */
		static final Map<String, String> TOPIC = FieldNames.bySnakeCase("customMemoryTopicLabel", "managedMemoryTopic");

		/** Fields of a value in metadata. */
		static final Map<String, String> VALUE = FieldNames.bySnakeCase("stringValue", "doubleValue", "boolValue",
				"timestampValue");

		/** Fields of requests about all memories of a scope. */
		static final Map<String, String> REQUEST = FieldNames.bySnakeCase("scope", "filter", "filterGroups", "force",
				"metadata", "similaritySearchParams", "simpleRetrievalParams", "vertexSessionSource",
				"directContentsSource", "directMemoriesSource", "disableConsolidation");

		/** Fields of the two kinds of retrieval. */
		static final Map<String, String> RETRIEVAL = FieldNames.bySnakeCase("searchQuery", "topK", "pageSize",
				"pageToken");

		/** Fields of the sources of memories. */
		static final Map<String, String> SOURCE = FieldNames.bySnakeCase("session", "events", "directMemories");

		/** Fields of an event or a memory in a source. */
		static final Map<String, String> ITEM = FieldNames.bySnakeCase("content", "eventId", "eventTime", "fact",
				"topics");

		private MemoryNames() {
		}

	}

	/** Reads scopes. The user chooses their names, so they are never converted. */
	static final class MemoryScopes {

		static final String SCOPE = "scope";

		private static final Set<String> OF_USER = Set.of(MemoryScope.APP_NAME, MemoryScope.USER_ID);

		private static final int MAX_FILTER_CHARS = 20_000;

		private static final Pattern FILTER = Pattern.compile("\\s*+scope\\s*+=\\s*+(.*+)", Pattern.DOTALL);

		private MemoryScopes() {
		}

		/** Reads the required scope of a request. */
		static MemoryScope required(ReasoningEngine engine, JsonObject request) {
			return of(engine, request.requiredObject(SCOPE));
		}

		private static MemoryScope of(ReasoningEngine engine, JsonObject scope) {
			Map<String, String> names = new LinkedHashMap<>();
			scope.members().forEach((name, text) -> names.put(name, text.string(scope.pathOf(name))));
			InvalidArgument.check(names.values().stream().noneMatch((text) -> text.contains("*")), SCOPE,
					"must not contain *");
			boolean isUser = names.keySet().equals(OF_USER)
					&& List.of(engine.appName(), engine.id()).contains(names.get(MemoryScope.APP_NAME));
			return isUser ? MemoryScope.of(new StateOwner(engine.appName(), names.get(MemoryScope.USER_ID)))
					: new MemoryScope(engine.appName(), names);
		}

		/** Reads the scope in a filter; empty without a filter. */
		static Optional<MemoryScope> inFilter(ReasoningEngine engine, @Nullable String filter) {
			if (filter == null || filter.isBlank()) {
				return Optional.empty();
			}
			Matcher scope = FILTER.matcher(filter);
			Unimplemented.check(filter.length() > MAX_FILTER_CHARS || !scope.matches(),
					"A filter by anything but scope=\"{...}\"");
			JsonObject names = JsonObject.parse(SessionFilter.value(scope.group(1)).strip());
			return Optional.of(of(engine, new JsonObject(SCOPE, names.members())));
		}

	}

}
