package dev.agentsessions.console.memory;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.memory.AppSearcher.AppSearchStep;
import dev.agentsessions.console.memory.AppSearcher.AppSearchStep.AppSearchPosition;
import dev.agentsessions.console.view.ErrorStatus;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/**
 * Serves the page that searches all users of an app, for callers that may list all users.
 */
@Controller
class AppSearchController {

	private static final String LIST = "console search of app";

	private final AppSearcher searcher;

	private final SearchService search;

	private final AccessPolicy access;

	private final PageTokens tokens;

	AppSearchController(AppSearcher searcher, SearchService search, AccessPolicy access, PageTokens tokens) {
		this.searcher = searcher;
		this.search = search;
		this.access = access;
		this.tokens = tokens;
	}

	/** Serves the hits of a step, or the form again with the error in the query. */
	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/search")
	ModelAndView search(@PathVariable String appName, @RequestParam(defaultValue = "") String q,
			@RequestParam @Nullable String page, HttpServletRequest request, Model model) {
		this.access.check(Access.ADMINISTER, new StateOwner(appName, null));
		this.search.checkMaySearch(new StateOwner(appName, null));
		Links links = Links.of(request);
		String here = links.app(appName) + "/search";
		model.addAttribute("here", here);
		model.addAttribute("q", q);
		if (StringUtils.hasText(q)) {
			List<AppSearch> query = List.of(new AppSearch(appName, q));
			try {
				AppSearchPosition from = StringUtils.hasText(page)
						? AppSearchPosition.of(this.tokens.position(page, LIST, query)) : AppSearchPosition.START;
				AppSearchStep step = this.searcher.search(appName, q, from, links);
				model.addAttribute("step", step);
				model.addAttribute("next", step.more() ? here + "?q=" + Links.encode(q) + "&page="
						+ this.tokens.issue(LIST, query, step.until().texts()) : null);
			}
			catch (SessionException.InvalidArgument ex) {
				return ErrorStatus.again("console/search-app", ex, model);
			}
		}
		return new ModelAndView("console/search-app");
	}

	/**
	 * What is searched.
	 *
	 * @param appName the app
	 * @param q the query
	 */
	private record AppSearch(String appName, String q) {

	}

}
