package dev.agentsessions.console.list;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

import dev.agentsessions.console.session.PendingView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.Permissions;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Serves the start page, which lists all apps, and what it says of each. The page
 * requests that for each app that comes into view, so its own cost does not grow with the
 * number of apps.
 */
@Controller
class HomeController {

	/** The last activity of more users would cost too much. */
	private static final int MAX_USERS = 100;

	private static final int MAX_CALLS = 3;

	private final SessionService sessions;

	private final PendingService pending;

	private final AccessPolicy access;

	private final Permissions permissions;

	HomeController(SessionService sessions, PendingService pending, AccessPolicy access, Permissions permissions) {
		this.sessions = sessions;
		this.pending = pending;
		this.access = access;
		this.permissions = permissions;
	}

	@GetMapping(ConsoleAccess.PATH)
	String home(HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		List<App> apps = this.sessions.appNames()
			.stream()
			.map((name) -> new App(TruncatedText.line(name), links.app(name)))
			.toList();
		model.addAttribute("apps", apps);
		model.addAttribute("curl", links.curl(request, "/list-apps"));
		model.addAttribute("create", links.curlCreate(request, "my-app", "ann"));
		return "console/home";
	}

	/** Only callers that may list all users see more than the name of the app. */
	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/overview")
	String overview(@PathVariable String appName, HttpServletRequest request, Model model) {
		this.access.checkRole(Access.READ, appName);
		boolean allUsers = this.permissions.mayListAllUsers(appName);
		model.addAttribute("allUsers", allUsers);
		if (allUsers) {
			StateOwner app = new StateOwner(appName, null);
			Page<UserSummary> users = this.sessions.users(new UserQuery(app, null, MAX_USERS));
			Page<PendingCall> calls = this.pending.list(new PendingQuery(app, null, null, MAX_CALLS));
			Instant today = LocalDate.now(ZoneOffset.UTC).atStartOfDay(ZoneOffset.UTC).toInstant();
			model.addAttribute("activity", Activity.of(users, today));
			model.addAttribute("pending", PendingView.of(calls.items(), Links.of(request)));
			model.addAttribute("morePending", calls.more());
		}
		return "console/overview";
	}

	/**
	 * An app.
	 *
	 * @param name its name
	 * @param link its page
	 */
	record App(TruncatedText name, String link) {

	}

	/**
	 * What the users of an app have done.
	 *
	 * @param atLeast whether there are more users than those counted
	 * @param users the number of users
	 * @param today the number of users with a session that was updated today
	 * @param sessions the number of sessions
	 * @param last the last update time of any session
	 * @param ago how long ago that was
	 */
	record Activity(boolean atLeast, int users, long today, long sessions, String last, String ago) {

		private static Activity of(Page<UserSummary> page, Instant startOfDay) {
			List<UserSummary> users = page.items();
			Instant last = users.stream().map(UserSummary::lastUpdateTime).max(Instant::compareTo).orElse(null);
			return new Activity(page.more() || users.stream().anyMatch(UserSummary::moreSessions), users.size(),
					users.stream().filter((user) -> !user.lastUpdateTime().isBefore(startOfDay)).count(),
					users.stream().mapToLong(UserSummary::sessions).sum(), TimeFormat.of(last),
					(last != null) ? TimeFormat.ago(last) : "");
		}

	}

}
