package dev.agentsessions.vertex.memory;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.MemoryAccess;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.FoundTurns.FoundTurn;
import dev.agentsessions.search.SearchService.SearchResult.Hit;
import dev.agentsessions.search.Turn;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.vertex.Operation.OperationName;
import dev.agentsessions.vertex.ReasoningEngine;
import dev.agentsessions.vertex.memory.MemoryController.MemoryList;
import dev.agentsessions.vertex.memory.MemoryFields.MemoryNames;
import dev.agentsessions.vertex.memory.MemoryFields.MemoryScopes;

/** Retrieves the memories of a scope, and makes memories of texts that a client sends. */
@RestController
@RequestMapping({ ReasoningEngine.PATH, ReasoningEngine.EXPRESS_PATH })
class MemoryBankController {

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

	@PostMapping("/memories:retrieve")
	Map<String, Object> retrieveMemories(ReasoningEngine engine, @RequestBody JsonObject body) {
		JsonObject request = body.renamed(MemoryNames.REQUEST);
		checkFilters(request);
		return this.retriever.retrieve(engine, request);
	}

	@PostMapping("/memories:generate")
	MemoryOperation generateMemories(ReasoningEngine engine, @RequestBody JsonObject body) {
		List<Map<String, Object>> generated = this.generator.generate(engine, body.renamed(MemoryNames.REQUEST));
		return MemoryOperation.of(engine, "generate", "GenerateMemoriesResponse",
				Map.of("generatedMemories", generated));
	}

	@PostMapping("/memories:ingestEvents")
	MemoryOperation ingestEvents(ReasoningEngine engine, @RequestBody JsonObject body) {
		JsonObject request = body.renamed(MemoryNames.REQUEST);
		JsonObject source = request.object(MemoryGenerator.CONTENTS);
		if (source != null) {
			this.generator.ofContents(engine, request, source.renamed(MemoryNames.SOURCE));
		}
		return MemoryOperation.of(engine, "ingestEvents", "IngestEventsResponse", Map.of());
	}

	/** Deletes the memories of a scope, or only counts them without {@code force}. */
	@PostMapping("/memories:purge")
	MemoryOperation purgeMemories(ReasoningEngine engine, @RequestBody JsonObject body) {
		JsonObject request = body.renamed(MemoryNames.REQUEST);
		checkGroups(request);
		MemoryScope scope = MemoryScopes.inFilter(engine, request.string("filter"))
			.orElseThrow(() -> new SessionException.InvalidArgument("filter", "must name a scope: scope=\"{...}\""));
		long count = request.flag("force") ? this.facts.deleteAll(scope) : this.facts.count(scope);
		return MemoryOperation.of(engine, "purge", "PurgeMemoriesResponse", Map.of("purgeCount", count));
	}

	/** Profiles would need a model, so there are none. */
	@PostMapping("/memories:retrieveProfiles")
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

	/** Finds memories by their texts, or lists the memories of a scope. */
	@Component
	static class MemoryRetriever {

		private static final int DEFAULT_SIZE = 3;

		private static final String SIMILARITY = "similaritySearchParams";

		private static final String SIMPLE = "simpleRetrievalParams";

		private static final Filter WITH_FACTS = new Filter(List.of(), null, null, null, null, true);

		private final SearchService search;

		private final FactService facts;

		private final MemoryList lists;

		MemoryRetriever(SearchService search, FactService facts, MemoryList lists) {
			this.search = search;
			this.facts = facts;
			this.lists = lists;
		}

		/** Returns the response to a retrieval. */
		Map<String, Object> retrieve(ReasoningEngine engine, JsonObject request) {
			MemoryScope scope = MemoryScopes.required(engine, request);
			JsonObject similarity = request.object(SIMILARITY);
			if (similarity != null) {
				InvalidShape.check(request.get(SIMPLE) == null, SIMPLE, "cannot be used together with " + SIMILARITY);
				return Map.of("retrievedMemories", search(engine, scope, similarity.renamed(MemoryNames.RETRIEVAL)));
			}
			JsonObject simple = request.object(SIMPLE);
			return list(engine, scope, (simple != null) ? simple.renamed(MemoryNames.RETRIEVAL) : JsonObject.EMPTY);
		}

		private Map<String, Object> list(ReasoningEngine engine, MemoryScope scope, JsonObject simple) {
			MemoryList.Memories page = this.lists.ofScope(engine, scope, size(simple, "pageSize"),
					simple.string("pageToken"));
			return page.toResponse("retrievedMemories",
					page.items().stream().map((memory) -> Map.of("memory", memory)).toList());
		}

		private List<Map<String, Object>> search(ReasoningEngine engine, MemoryScope scope, JsonObject similarity) {
			String text = similarity.requiredString("searchQuery");
			String query = text.substring(0, Math.min(text.length(), SearchQuery.MAX_CHARS));
			List<Hit> hits = this.search
				.search(new SearchQuery(scope, query, false, WITH_FACTS, 0, size(similarity, "topK"), 0, 0))
				.hits();
			Map<String, Fact> facts = this.facts.getAll(scope,
					hits.stream()
						.map((hit) -> hit.found().turn())
						.filter(MemoryRetriever::isFact)
						.map(Turn::id)
						.toList());
			List<Map<String, Object>> found = new ArrayList<>();
			for (Hit hit : hits) {
				Map<String, Object> memory = memory(engine, scope, hit.found(), facts);
				if (memory != null) {
					found.add(Map.of("memory", memory, "distance", distance(hit.found().score())));
				}
			}
			return found;
		}

		private static boolean isFact(Turn turn) {
			return turn.origin() == null;
		}

		/** Returns {@code null} for a fact that was deleted meanwhile. */
		private static @Nullable Map<String, Object> memory(ReasoningEngine engine, MemoryScope scope, FoundTurn found,
				Map<String, Fact> facts) {
			if (!isFact(found.turn())) {
				return MemoryResource.of(engine, scope, found.turn());
			}
			Fact fact = facts.get(found.turn().id());
			return (fact != null) ? MemoryResource.of(engine, scope, fact) : null;
		}

		private static BigDecimal distance(double score) {
			return BigDecimal.ONE.subtract(BigDecimal.valueOf(score)).setScale(4, RoundingMode.HALF_UP);
		}

		private static int size(JsonObject parameters, String name) {
			return MemoryList.size(name, parameters.count(name), DEFAULT_SIZE);
		}

	}

	/**
	 * An operation on memories, which has always ended already. Source:
	 * {@code google.longrunning.Operation}.
	 *
	 * @param name its name
	 * @param done always {@code true}
	 * @param response its result, with the type of the message
	 */
	record MemoryOperation(String name, boolean done, Map<String, Object> response) {

		private static final String TYPE = "@type";

		/** Returns an operation whose result is a message of the API. */
		static MemoryOperation of(ReasoningEngine engine, String action, String message, Map<String, Object> result) {
			Map<String, Object> response = new LinkedHashMap<>();
			response.put(TYPE, engine.version().type(message));
			response.putAll(result);
			return new MemoryOperation(name(engine, action), true, response);
		}

		/** Returns the operation that deleted a memory. */
		static MemoryOperation deleted(ReasoningEngine engine) {
			return new MemoryOperation(name(engine, "delete"), true,
					Map.of(TYPE, "type.googleapis.com/google.protobuf.Empty"));
		}

		private static String name(ReasoningEngine engine, String action) {
			return new OperationName(OperationName.Action.MEMORY, engine.id(), action).inEngine(engine);
		}

	}

}
