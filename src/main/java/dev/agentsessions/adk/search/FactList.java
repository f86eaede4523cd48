package dev.agentsessions.adk.search;

import java.time.Instant;
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

	static FactList from(Page<Fact> page, FactQuery query, PageTokens tokens) {
		return new FactList(page.items().stream().map(FactResponse::from).toList(), page.more()
				? tokens.issue(fingerprint(query), page.last().createTime().toString(), page.last().id()) : null);
	}

	/** Returns the query for the page that a token refers to. */
	static FactQuery after(String token, FactQuery query, PageTokens tokens) {
		List<String> position = tokens.position(token, fingerprint(query));
		return query.after(Instant.parse(position.get(0)), position.get(1));
	}

	private static List<?> fingerprint(FactQuery query) {
		return List.of("adk memories", query.scope());
	}

}
