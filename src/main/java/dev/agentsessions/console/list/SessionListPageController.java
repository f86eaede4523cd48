package dev.agentsessions.console.list;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.list.SessionListReader.SessionList;
import dev.agentsessions.console.session.PendingView;
import dev.agentsessions.console.view.ErrorStatus;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.Permissions;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/** Serves the pages that list the sessions of an app or of a user. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}")
class SessionListPageController {

	private final SessionService sessions;

	private final SessionListReader lists;

	private final PendingService pending;

	private final PageTokens tokens;

	private final AccessPolicy access;

	private final Permissions permissions;

	private final SearchService search;

	SessionListPageController(SessionService sessions, SessionListReader lists, PendingService pending,
			PageTokens tokens, AccessPolicy access, Permissions permissions, SearchService search) {
		this.sessions = sessions;
		this.lists = lists;
		this.pending = pending;
		this.tokens = tokens;
		this.access = access;
		this.permissions = permissions;
		this.search = search;
	}

	/**
	 * Serves the page of an app. Only callers that may list all users see its sessions.
	 */
	@GetMapping
	String app(@PathVariable String appName, ListParameters parameters, HttpServletRequest request,
			HttpServletResponse response, Model model) {
		this.access.checkRole(Access.READ, appName);
		Links links = Links.of(request);
		boolean allUsers = this.permissions.mayListAllUsers(appName);
		model.addAttribute("allUsers", allUsers);
		model.addAttribute("user", this.access.onlyUser().orElse(""));
		model.addAttribute("link", links.app(appName));
		model.addAttribute("usersLink", links.users(appName));
		if (allUsers) {
			StateOwner app = new StateOwner(appName, null);
			list(app, parameters, request, response, model);
			PendingQuery waiting = new PendingQuery(app, null, null, PendingView.MAX_CALLS);
			model.addAttribute("pending", PendingView.of(this.pending.list(waiting).items(), links));
		}
		return "console/app";
	}

	@GetMapping("/users/{userId}")
	String user(@PathVariable String appName, @PathVariable String userId, ListParameters parameters,
			HttpServletRequest request, HttpServletResponse response, Model model) {
		Links links = Links.of(request);
		StateOwner user = new StateOwner(appName, userId);
		list(user, parameters, request, response, model);
		model.addAttribute("userId", userId);
		model.addAttribute("mayErase", this.permissions.mayListAllUsers(appName));
		model.addAttribute("waiting", waiting(user, links));
		model.addAttribute("factsLink", links.facts(appName, userId));
		return "console/user";
	}

	/**
	 * Redirects to the session or user of the form, or shows the form again with the
	 * error in it.
	 */
	@GetMapping("/find")
	Object find(@PathVariable String appName, @RequestParam(defaultValue = "") String user,
			@RequestParam(defaultValue = "") String session, HttpServletRequest request, HttpServletResponse response,
			Model model) {
		try {
			return Links.seeOther(found(appName, user, session, Links.of(request)));
		}
		catch (SessionException ex) {
			String page = app(appName, ListParameters.NONE, request, response, model);
			model.addAttribute("user", user);
			model.addAttribute("sessionId", session);
			return ErrorStatus.again(page, ex, model);
		}
	}

	private String found(String appName, String user, String session, Links links) {
		StateOwner owner = new StateOwner(appName, StringUtils.hasText(user) ? user : null);
		if (!StringUtils.hasText(session)) {
			return links.owner(owner);
		}
		if (owner.userId() == null) {
			return links.session(this.sessions.locate(Access.READ, appName, session.strip()));
		}
		SessionName name = new SessionName(owner, session);
		this.sessions.get(name, EventWindow.NONE);
		return links.session(name);
	}

	/** Lists sessions. A filter that is refused stays as it was typed. */
	private void list(StateOwner owner, ListParameters parameters, HttpServletRequest request,
			HttpServletResponse response, Model model) {
		Links links = Links.of(request);
		String link = links.owner(owner);
		SessionList list = SessionList.EMPTY;
		try {
			list = this.lists.read(parameters, owner, links);
		}
		catch (SessionException.InvalidArgument ex) {
			response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
			model.addAttribute("refusal", TruncatedText.line(ex.getMessage()));
		}
		model.addAttribute("list", list);
		model.addAttribute("parameters", parameters);
		model.addAttribute("days", QuickFilter.errors(LocalDate.now(ZoneOffset.UTC)));
		model.addAttribute("link", link);
		model.addAttribute("searched", this.search.isSearched(owner.appName()));
		model.addAttribute("curl", parameters.curl(owner.appName(), owner.userId(), request));
		model.addAttribute("csv", CsvController.link(link + "/sessions", request));
		model.addAttribute("deletion", DeletionController.link(link, parameters, request));
		model.addAttribute("create",
				links.curlCreate(request, owner.appName(), Objects.requireNonNullElse(owner.userId(), "ann")));
	}

	/** Returns the sessions with pending calls, which the page shows first. */
	private List<SessionView> waiting(StateOwner user, Links links) {
		SessionQuery query = ListParameters.WAITING.toQuery(user, this.tokens).limit(PendingView.MAX_CALLS);
		return this.sessions.list(query).items().stream().map((session) -> SessionView.of(session, links)).toList();
	}

	/**
	 * A link that fills the filter of a list.
	 *
	 * @param name its text
	 * @param query its query string
	 */
	record QuickFilter(String name, String query) {

		private static final int DAYS_OF_WEEK = 7;

		/** Returns links to the sessions with errors of the last days. */
		static List<QuickFilter> errors(LocalDate today) {
			LocalDate yesterday = today.minusDays(1);
			return List.of(new QuickFilter("today", Links.errors(today, today)),
					new QuickFilter("yesterday", Links.errors(yesterday, yesterday)), new QuickFilter(
							"last " + DAYS_OF_WEEK + " days", Links.errors(today.minusDays(DAYS_OF_WEEK - 1L), today)));
		}

	}

}
