package dev.agentsessions.vertex.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.search.Fact;
import dev.agentsessions.search.FactDirectory.Position;
import dev.agentsessions.search.FactDirectory.ScopedFact;
import dev.agentsessions.search.FactLocator;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.vertex.ReasoningEngine;
import dev.agentsessions.web.PageTokens;

/**
 * Reads pages of memories: of a scope the newest first, of an engine in the order of ids.
 */
@Component
class MemoryList {

	private static final String LIST = "vertex memories";

	private final FactService facts;

	private final FactLocator locator;

	private final PageTokens tokens;

	MemoryList(FactService facts, FactLocator locator, PageTokens tokens) {
		this.facts = facts;
		this.locator = locator;
		this.tokens = tokens;
	}

	/** Returns a page of the memories of a scope. */
	Memories ofScope(ReasoningEngine engine, MemoryScope scope, int pageSize, @Nullable String pageToken) {
		FactQuery query = FactQuery.first(scope, pageSize);
		if (pageToken != null && !pageToken.isEmpty()) {
			query = query.after(this.tokens.position(pageToken, LIST, List.of(query)));
		}
		Page<Fact> page = this.facts.list(query);
		return new Memories(page.items().stream().map((fact) -> MemoryResource.of(engine, scope, fact)).toList(),
				page.more() ? this.tokens.issue(LIST, List.of(query), FactQuery.texts(page.last())) : null);
	}

	/** Returns a page of all memories of an engine. */
	Memories ofEngine(ReasoningEngine engine, int pageSize, @Nullable String pageToken) {
		List<StateOwner> app = List.of(new StateOwner(engine.appName(), null));
		Position after = (pageToken != null && !pageToken.isEmpty())
				? position(engine, this.tokens.position(pageToken, LIST, app)) : null;
		Page<ScopedFact> page = this.locator.list(engine.appName(), after, pageSize);
		return new Memories(
				page.items().stream().map((item) -> MemoryResource.of(engine, item.scope(), item.fact())).toList(),
				page.more() ? this.tokens.issue(LIST, app, texts(page.last())) : null);
	}

	private static String[] texts(ScopedFact last) {
		List<String> texts = new ArrayList<>(List.of(last.fact().id()));
		last.scope().names().forEach((name, text) -> texts.addAll(List.of(name, text)));
		return texts.toArray(String[]::new);
	}

	private static Position position(ReasoningEngine engine, List<String> texts) {
		Map<String, String> names = new LinkedHashMap<>();
		for (int i = 1; i < texts.size(); i += 2) {
			names.put(texts.get(i), texts.get(i + 1));
		}
		return new Position(texts.get(0), new MemoryScope(engine.appName(), names));
	}

	/** Returns the size of a page: at most 100. */
	static int size(String field, @Nullable Integer pageSize, int defaultSize) {
		if (pageSize != null && pageSize < 0) {
			throw new SessionException.InvalidArgument(field, "must not be negative");
		}
		return (pageSize == null || pageSize == 0) ? defaultSize : Math.min(pageSize, FactQuery.MAX_LIMIT);
	}

	/**
	 * A page of memories.
	 *
	 * @param items the memories
	 * @param nextPageToken the token of the next page; {@code null} on the last page
	 */
	record Memories(List<Map<String, Object>> items, @Nullable String nextPageToken) {

		/** Returns the response with the page. */
		Map<String, Object> toResponse(String name, List<?> values) {
			Map<String, Object> response = new LinkedHashMap<>();
			response.put(name, values);
			if (this.nextPageToken != null) {
				response.put("nextPageToken", this.nextPageToken);
			}
			return response;
		}

	}

}
