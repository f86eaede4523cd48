package dev.agentsessions.vertex.memory;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FoundTurns.FoundTurn;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchResult.Hit;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.Turn;
import dev.agentsessions.vertex.ReasoningEngine;

/** Finds memories by their texts, or lists the memories of a scope. */
@Component
class MemoryRetriever {

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
			if (request.get(SIMPLE) != null) {
				throw new JsonException.InvalidShape(SIMPLE, "cannot be used together with " + SIMILARITY);
			}
			return Map.of("retrievedMemories", search(engine, scope, similarity.renamed(MemoryNames.RETRIEVAL)));
		}
		JsonObject simple = request.object(SIMPLE);
		return list(engine, scope,
				(simple != null) ? simple.renamed(MemoryNames.RETRIEVAL) : new JsonObject("", Map.of()));
	}

	private Map<String, Object> list(ReasoningEngine engine, MemoryScope scope, JsonObject simple) {
		MemoryList.Memories page = this.lists.ofScope(engine, scope, size(simple, "pageSize"),
				simple.string("pageToken"));
		return page.toResponse("retrievedMemories",
				page.items().stream().map((memory) -> Map.of("memory", memory)).toList());
	}

	private List<Map<String, Object>> search(ReasoningEngine engine, MemoryScope scope, JsonObject similarity) {
		String text = similarity.required("searchQuery").string(similarity.pathOf("searchQuery"));
		String query = text.substring(0, Math.min(text.length(), SearchQuery.MAX_CHARS));
		List<Hit> hits = this.search
			.search(new SearchQuery(scope, query, false, WITH_FACTS, 0, size(similarity, "topK"), 0, 0))
			.hits();
		Map<String, Fact> facts = this.facts.getAll(scope,
				hits.stream().map((hit) -> hit.found().turn()).filter(MemoryRetriever::isFact).map(Turn::id).toList());
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
