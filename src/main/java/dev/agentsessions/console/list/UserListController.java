package dev.agentsessions.console.list;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/**
 * Serves the page that lists the users of an app, for callers that may list all users.
 */
@Controller
class UserListController {

	private static final String LIST = "console users";

	private static final int PAGE_SIZE = 50;

	private final SessionService sessions;

	private final PageTokens tokens;

	UserListController(SessionService sessions, PageTokens tokens) {
		this.sessions = sessions;
		this.tokens = tokens;
	}

	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/users")
	String users(@PathVariable String appName, @RequestParam @Nullable String page, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		UserQuery first = new UserQuery(new StateOwner(appName, null), null, PAGE_SIZE);
		UserQuery query = StringUtils.hasText(page)
				? first.after(this.tokens.position(page, LIST, List.of(first)).get(0)) : first;
		Page<UserSummary> users = this.sessions.users(query);
		model.addAttribute("users", users.items().stream().map((user) -> UserView.of(appName, user, links)).toList());
		model.addAttribute("curl", links.curl(request, Links.api(appName, null) + "/users"));
		model.addAttribute("csv", CsvController.link(links.users(appName), request));
		model.addAttribute("create", links.curlCreate(request, appName, "ann"));
		model.addAttribute("next", users.more()
				? links.users(appName) + "?page=" + this.tokens.issue(LIST, List.of(query), users.last().userId())
				: null);
		return "console/users";
	}

	/**
	 * A user in a list.
	 *
	 * @param id the id of the user
	 * @param sessions the number of sessions, or "more than" the limit of the count
	 * @param updated the last update time of any of the sessions
	 * @param link the page of the user
	 */
	record UserView(TruncatedText id, String sessions, String updated, String link) {

		static UserView of(String appName, UserSummary user, Links links) {
			return new UserView(TruncatedText.line(user.userId()),
					(user.moreSessions() ? "more than " : "") + user.sessions(), TimeFormat.of(user.lastUpdateTime()),
					links.user(appName, user.userId()));
		}

	}

}
