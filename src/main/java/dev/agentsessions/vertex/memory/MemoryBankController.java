package dev.agentsessions.vertex.memory;

import java.util.List;
import java.util.Map;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.MemoryAccess;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.vertex.ReasoningEngine;

/** Retrieves the memories of a scope, and makes memories of texts that a client sends. */
@RestController
class MemoryBankController {

	private static final String RETRIEVE = "/memories:retrieve";

	private static final String GENERATE = "/memories:generate";

	private static final String INGEST = "/memories:ingestEvents";

	private static final String PURGE = "/memories:purge";

	private static final String PROFILES = "/memories:retrieveProfiles";

	private final MemoryRetriever retriever;

	private final MemoryGenerator generator;

	private final FactService facts;

	private final MemoryAccess access;

	MemoryBankController(MemoryRetriever retriever, MemoryGenerator generator, FactService facts, MemoryAccess access) {
		this.retriever = retriever;
		this.generator = generator;
		this.facts = facts;
		this.access = access;
	}

	@PostMapping({ ReasoningEngine.PATH + RETRIEVE, ReasoningEngine.EXPRESS_PATH + RETRIEVE })
	Map<String, Object> retrieveMemories(ReasoningEngine engine, @RequestBody JsonObject body) {
		JsonObject request = body.renamed(MemoryNames.REQUEST);
		checkFilters(request);
		return this.retriever.retrieve(engine, request);
	}

	@PostMapping({ ReasoningEngine.PATH + GENERATE, ReasoningEngine.EXPRESS_PATH + GENERATE })
	MemoryOperation generateMemories(ReasoningEngine engine, @RequestBody JsonObject body) {
		List<Map<String, Object>> generated = this.generator.generate(engine, body.renamed(MemoryNames.REQUEST));
		return MemoryOperation.of(engine, "generate", "GenerateMemoriesResponse",
				Map.of("generatedMemories", generated));
	}

	@PostMapping({ ReasoningEngine.PATH + INGEST, ReasoningEngine.EXPRESS_PATH + INGEST })
	MemoryOperation ingestEvents(ReasoningEngine engine, @RequestBody JsonObject body) {
		JsonObject request = body.renamed(MemoryNames.REQUEST);
		JsonObject source = request.object(MemoryGenerator.CONTENTS);
		if (source != null) {
			this.generator.ofContents(engine, request, source.renamed(MemoryNames.SOURCE));
		}
		return MemoryOperation.of(engine, "ingestEvents", "IngestEventsResponse", Map.of());
	}

	/** Deletes the memories of a scope, or only counts them without {@code force}. */
	@PostMapping({ ReasoningEngine.PATH + PURGE, ReasoningEngine.EXPRESS_PATH + PURGE })
	MemoryOperation purgeMemories(ReasoningEngine engine, @RequestBody JsonObject body) {
		JsonObject request = body.renamed(MemoryNames.REQUEST);
		checkGroups(request);
		MemoryScope scope = MemoryScopes.inFilter(engine, request.string("filter"))
			.orElseThrow(() -> new SessionException.InvalidArgument("filter", "must name a scope: scope=\"{...}\""));
		long count = request.flag("force") ? this.facts.deleteAll(scope) : this.facts.count(scope);
		return MemoryOperation.of(engine, "purge", "PurgeMemoriesResponse", Map.of("purgeCount", count));
	}

	/** Profiles would need a model, so there are none. */
	@PostMapping({ ReasoningEngine.PATH + PROFILES, ReasoningEngine.EXPRESS_PATH + PROFILES })
	Map<String, Object> retrieveProfiles(ReasoningEngine engine, @RequestBody JsonObject body) {
		this.access.check(Access.READ, MemoryScopes.required(engine, body.renamed(MemoryNames.REQUEST)));
		return Map.of();
	}

	private static void checkFilters(JsonObject request) {
		String filter = request.string("filter");
		Unimplemented.check(filter != null && !filter.isBlank(), "A filter of a retrieval");
		checkGroups(request);
	}

	private static void checkGroups(JsonObject request) {
		Unimplemented.check(!request.objects("filterGroups").isEmpty(), "The field filterGroups");
	}

	/** Refuses parts of the protocol that this service does not have. */
	static final class Unimplemented {

		private Unimplemented() {
		}

		/**
		 * Refuses a request that uses such a part.
		 * @param isUsed whether it does
		 * @param what the part, as the begin of a sentence
		 */
		static void check(boolean isUsed, String what) {
			if (isUsed) {
				throw new ResponseStatusException(HttpStatus.NOT_IMPLEMENTED,
						what + " is not implemented by this service");
			}
		}

	}

}
