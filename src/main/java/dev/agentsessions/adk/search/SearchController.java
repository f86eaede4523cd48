package dev.agentsessions.adk.search;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.PageTokens;

/** Searches the texts of the sessions of a user. */
@RestController
class SearchController {

	private final SearchService search;

	private final PageTokens tokens;

	SearchController(SearchService search, PageTokens tokens) {
		this.search = search;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users/{userId}/events:search")
	SearchResponse searchEvents(@PathVariable String appName, @PathVariable String userId,
			SearchParameters parameters) {
		return search(parameters, new StateOwner(appName, userId));
	}

	@PostMapping("/apps/{appName}/users/{userId}/events:search")
	SearchResponse searchEventsByBody(@PathVariable String appName, @PathVariable String userId,
			@RequestBody JsonObject body) {
		return search(SearchParameters.of(body), new StateOwner(appName, userId));
	}

	private SearchResponse search(SearchParameters parameters, StateOwner user) {
		SearchQuery query = parameters.toQuery(user, this.tokens);
		return SearchResponse.from(this.search.search(query), query, this.tokens);
	}

}
