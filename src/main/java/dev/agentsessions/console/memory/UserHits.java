package dev.agentsessions.console.memory;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.SearchResult;

/**
 * The hits of one user in the search of an app.
 *
 * @param name the id of the user
 * @param link the page of the user
 * @param searchLink the page that searches the sessions of the user
 * @param all the page with all hits of the user; {@code null} if all of them are here
 * @param groups the hits by session; {@code null} if the search failed
 */
record UserHits(TruncatedText name, String link, String searchLink, @Nullable String all,
		@Nullable List<SessionHits> groups) {

	static UserHits of(SearchResult result, SearchScope scope, String q) {
		return of(scope, result.more() ? scope.page(q) : null, SessionHits.of(result.hits(), scope));
	}

	static UserHits failed(SearchScope scope, String q) {
		return of(scope, scope.page(q), null);
	}

	private static UserHits of(SearchScope scope, @Nullable String all, @Nullable List<SessionHits> groups) {
		return new UserHits(TruncatedText.of(scope.userId(), TruncatedText.MAX_LINE_CHARS),
				scope.links().user(scope.user().appName(), scope.userId()), scope.link(), all, groups);
	}

}
