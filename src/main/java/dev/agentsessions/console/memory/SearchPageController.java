package dev.agentsessions.console.memory;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.memory.AppSearchStep.SearchProgress;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchResult;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.ErrorResponder;
import dev.agentsessions.web.PageTokens;

/**
 * Serves the page that searches the sessions of a user, or one of them, and makes hits
 * unfindable.
 */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}")
class SearchPageController {

	private static final String LIST = "console search";

	private static final int PAGE_SIZE = 20;

	private final SearchService search;

	private final FactService facts;

	private final PageTokens tokens;

	private final ErrorResponder errors;

	SearchPageController(SearchService search, FactService facts, PageTokens tokens, ErrorResponder errors) {
		this.search = search;
		this.facts = facts;
		this.tokens = tokens;
		this.errors = errors;
	}

	/** Serves the hits, or the form again with the error in the query. */
	@GetMapping({ "/search", "/sessions/{sessionId}/search" })
	ModelAndView search(@PathVariable String appName, @PathVariable String userId,
			@PathVariable @Nullable String sessionId, @RequestParam(defaultValue = "") String q,
			@RequestParam @Nullable String page, @RequestParam(defaultValue = "0") long left,
			HttpServletRequest request, Model model) {
		SearchScope scope = new SearchScope(new StateOwner(appName, userId), sessionId, Links.of(request));
		this.search.checkMaySearch(scope.user());
		model.addAttribute("searchLink", scope.link());
		model.addAttribute("q", q);
		model.addAttribute("curl", scope.links().curl(request, apiPath(scope, q)));
		model.addAttribute("everywhere", new SearchScope(scope.user(), null, scope.links()).page(q));
		HttpStatus status = StringUtils.hasText(q) ? find(scope, q, page, left, model) : HttpStatus.OK;
		return new ModelAndView("console/search", status);
	}

	/** Makes a hit unfindable: it forgets an event, and deletes a fact. */
	@PostMapping({ "/search/forget", "/sessions/{sessionId}/search/forget" })
	ResponseEntity<Void> forget(@PathVariable String appName, @PathVariable String userId,
			@PathVariable @Nullable String sessionId, @RequestParam String id,
			@RequestParam(defaultValue = "") String q, HttpServletRequest request) {
		SearchScope scope = new SearchScope(new StateOwner(appName, userId), sessionId, Links.of(request));
		this.facts.delete(MemoryScope.of(scope.user()), id);
		return Links.seeOther(scope.page(q));
	}

	/** Returns the path of the request that searches the same over the API. */
	private static String apiPath(SearchScope scope, String q) {
		String path = "/apps/" + Links.encode(scope.user().appName()) + "/users/" + Links.encode(scope.userId())
				+ "/events:search?q=" + Links.encode(q) + "&limit=" + PAGE_SIZE + "&around=1";
		String sessionId = scope.sessionId();
		return path + ((sessionId != null) ? "&sessionId=" + Links.encode(sessionId) : "&facts=true");
	}

	private HttpStatus find(SearchScope scope, String q, @Nullable String page, long left, Model model) {
		try {
			SearchQuery query = query(scope, q, page);
			SearchResult result = this.search.search(query);
			model.addAttribute("groups", SessionHits.of(result.hits(), scope));
			String here = scope.page(q) + (StringUtils.hasText(page) ? "&page=" + Links.encode(page) : "");
			model.addAttribute("progress", SearchProgress.of(result, left, here));
			model.addAttribute("next", result.more() ? scope.page(q) + "&page="
					+ this.tokens.issue(LIST, List.of(query), Integer.toString(query.offset() + result.ranked()))
					: null);
			return HttpStatus.OK;
		}
		catch (SessionException.InvalidArgument ex) {
			model.addAttribute("error", TruncatedText.printable(String.valueOf(ex.getMessage())));
			return HttpStatus.BAD_REQUEST;
		}
		catch (SessionException.Unavailable ex) {
			this.errors.log(ex);
			model.addAttribute("error", ex.getMessage());
			return HttpStatus.SERVICE_UNAVAILABLE;
		}
	}

	private SearchQuery query(SearchScope scope, String q, @Nullable String page) {
		String sessionId = scope.sessionId();
		Filter filter = new Filter((sessionId != null) ? List.of(sessionId) : List.of(), null, null, null, null,
				sessionId == null);
		SearchQuery first = new SearchQuery(MemoryScope.of(scope.user()), q, true, filter, 0, PAGE_SIZE, 0, 1);
		return StringUtils.hasText(page)
				? first.after(Integer.parseInt(this.tokens.position(page, LIST, List.of(first)).get(0))) : first;
	}

}
