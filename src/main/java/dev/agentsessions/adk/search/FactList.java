package dev.agentsessions.adk.search;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.fact.Fact;
import dev.agentsessions.search.fact.FactQuery;
import dev.agentsessions.session.Page;
import dev.agentsessions.web.PageTokens;

/**
 * A page of facts.
 *
 * @param memories the facts, the newest first
 * @param nextPageToken the token of the next page; absent on the last page
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FactList(List<FactResponse> memories, @Nullable String nextPageToken) {

	private static final String LIST = "adk memories";

	static FactList from(Page<Fact> page, FactQuery query, PageTokens tokens) {
		return new FactList(page.items().stream().map(FactResponse::from).toList(),
				page.more() ? tokens.issue(LIST, List.of(query), FactQuery.texts(page.last())) : null);
	}

	/** Returns the query for the page that a token refers to. */
	static FactQuery after(String token, FactQuery query, PageTokens tokens) {
		return query.after(tokens.position(token, LIST, List.of(query)));
	}

}
