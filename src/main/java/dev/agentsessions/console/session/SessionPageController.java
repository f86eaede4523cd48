package dev.agentsessions.console.session;

import java.util.List;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.session.StatePageController.StateView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Serves the page of a session at a moment, now or in the past, with a limited number of
 * events up to that moment.
 */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}")
class SessionPageController {

	/**
	 * To find the events that set the state keys, and to add up tokens, the service reads
	 * all events. Above this number of events, it does so only on demand.
	 */
	private static final long MAX_EVENTS_EXPLAINED_AT_ONCE = 10_000;

	private static final String FIRST_EVENT = JsonObject.ofTexts(Map.of(EventFields.AUTHOR, "user"))
		.with(EventFields.CONTENT, EventFields.said(null, List.of("Hello")))
		.toJson()
		.text();

	private static final int MAX_SEARCHED_FOR_FORKS = 100;

	private final SessionService sessions;

	private final MomentReader moments;

	private final PendingService pending;

	private final UsageService usage;

	private final SearchService search;

	SessionPageController(SessionService sessions, MomentReader moments, PendingService pending, UsageService usage,
			SearchService search) {
		this.sessions = sessions;
		this.moments = moments;
		this.pending = pending;
		this.usage = usage;
		this.search = search;
	}

	@GetMapping
	String session(SessionName name, @RequestParam @Nullable Long at, ReadingMode mode, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		Session now = this.sessions.get(name, EventWindow.NONE);
		long moment = (at != null) ? check(at, now.revision()) : now.revision();
		model.addAttribute("about", SessionView.of(now, links));
		model.addAttribute("moment", this.moments.at(now, moment, mode, links).withWholeTurn(name, this.usage));
		model.addAttribute("sessionKey", now.sessionKey());
		model.addAttribute("state", (moment == now.revision()) ? StateView.of(now, mode) : null);
		model.addAttribute("stateLink", mode.on(links.session(name) + "/state" + Links.at(at)));
		model.addAttribute("here", links.session(name, at));
		model.addAttribute("explained", moment <= MAX_EVENTS_EXPLAINED_AT_ONCE);
		model.addAttribute("counted", now.revision() <= MAX_EVENTS_EXPLAINED_AT_ONCE);
		model.addAttribute("append", links.curlAppend(request, name, FIRST_EVENT));
		model.addAttribute("curl", links.curl(request, name, MomentReader.query(mode, at)));
		model.addAttribute("forks", forks(name, links));
		model.addAttribute("forksSearched", MAX_SEARCHED_FOR_FORKS);
		model.addAttribute("pending", pending(name, links));
		model.addAttribute("searched", this.search.isSearched(name.appName()));
		return "console/session";
	}

	/** Serves the calls that wait for an answer, for the live update of an open page. */
	@GetMapping("/pending")
	String pending(SessionName name, HttpServletRequest request, Model model) {
		model.addAttribute("pending", pending(name, Links.of(request)));
		return "console/session :: pending";
	}

	private List<PendingView> pending(SessionName name, Links links) {
		PendingQuery query = new PendingQuery(name.app(), name, null, PendingView.MAX_CALLS);
		return PendingView.of(this.pending.list(query).items(), links);
	}

	/** Serves the next events after a seq, for the live update of an open page. */
	@GetMapping("/tail")
	String tail(SessionName name, @RequestParam long after, ReadingMode mode, HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		model.addAttribute("turns", this.moments.after(name, after, mode, links));
		return "console/session :: turns";
	}

	private static long check(long at, long revision) {
		if (at < 0 || at > revision) {
			throw new SessionException.InvalidArgument("The event", "must be at most " + revision + ", the newest one");
		}
		return at;
	}

	/**
	 * Returns the forks, the newest first. No index knows them by their source, so only
	 * the newest sessions of the user are searched, and a page costs the same for every
	 * user.
	 */
	private List<SessionView> forks(SessionName source, Links links) {
		Filter all = new Filter(null, Map.of(), true);
		SessionQuery newest = SessionQuery.of(source.user(), Order.USER, true, MAX_SEARCHED_FOR_FORKS, all, false);
		return this.sessions.list(newest)
			.items()
			.stream()
			.filter((session) -> isFork(session, source))
			.map((session) -> SessionView.of(session, links))
			.toList();
	}

	private static boolean isFork(Session session, SessionName source) {
		return session.forkedFrom() != null && session.forkedFrom().sessionId().equals(source.sessionId());
	}

}
