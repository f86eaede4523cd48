package dev.agentsessions.console.session;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.pending.PendingView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.Permissions;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.history.HistoryService;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.session.pending.PendingQuery;
import dev.agentsessions.session.pending.PendingService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.part.InlineDataStripper;

/**
 * Serves the page of a session at a moment, now or in the past, with a limited number of
 * events up to that moment.
 */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}")
class SessionPageController {

	/**
	 * To find the events that set the state keys, the service reads all events. Above
	 * this number of events, it does so only on demand.
	 */
	private static final long MAX_EVENTS_EXPLAINED_AT_ONCE = 10_000;

	private final SessionService sessions;

	private final EventService events;

	private final HistoryService history;

	private final PendingService pending;

	private final Permissions permissions;

	private final SearchService search;

	SessionPageController(SessionService sessions, EventService events, HistoryService history, PendingService pending,
			Permissions permissions, SearchService search) {
		this.sessions = sessions;
		this.events = events;
		this.history = history;
		this.pending = pending;
		this.permissions = permissions;
		this.search = search;
	}

	@GetMapping
	String session(@PathVariable String appName, @PathVariable String userId, @PathVariable String sessionId,
			@RequestParam(required = false) @Nullable Long at, HttpServletRequest request, Model model) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		Links links = Links.of(request);
		Session now = this.sessions.get(key, EventWindow.NONE);
		long moment = (at != null) ? check(at, now.revision()) : now.revision();
		EventPage page = this.events.list(key, MomentView.query(moment).ofSession(now.birth()),
				new InlineDataStripper(links.session(key)));
		add(now, links, model);
		model.addAttribute("moment", MomentView.of(key, moment, now.revision(), page.items(), links));
		model.addAttribute("state", (moment == now.revision()) ? StateView.of(now, links.session(key)) : null);
		model.addAttribute("stateLink", links.session(key) + "/state" + Links.at(at));
		model.addAttribute("explained", moment <= MAX_EVENTS_EXPLAINED_AT_ONCE);
		model.addAttribute("curl", links.curl(request, key, "?numRecentEvents=" + MomentView.MAX_EVENTS + atSeq(at)));
		model.addAttribute("pending", pending(key, links));
		model.addAttribute("mayWrite", this.permissions.mayWrite(appName));
		model.addAttribute("searched", this.search.isSearched(appName));
		return "console/session";
	}

	/** Serves the calls that wait for an answer, for the live update of an open page. */
	@GetMapping("/pending")
	String pending(@PathVariable String appName, @PathVariable String userId, @PathVariable String sessionId,
			HttpServletRequest request, Model model) {
		model.addAttribute("pending", pending(new SessionKey(appName, userId, sessionId), Links.of(request)));
		model.addAttribute("mayWrite", this.permissions.mayWrite(appName));
		return "console/session :: pending";
	}

	private List<PendingView> pending(SessionKey key, Links links) {
		PendingQuery query = new PendingQuery(key.appName(), key, null, PendingView.MAX_CALLS);
		return PendingView.of(this.pending.list(query).items(), links);
	}

	/** Serves the state at a moment, with the event that set each key. */
	@GetMapping("/state")
	String state(@PathVariable String appName, @PathVariable String userId, @PathVariable String sessionId,
			@RequestParam(required = false) @Nullable Long at, HttpServletRequest request, Model model) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		Links links = Links.of(request);
		model.addAttribute("state", StateView.of(this.history.explain(key, at), links.session(key)));
		model.addAttribute("at", at);
		model.addAttribute("raw", links.session(key) + "/state/json" + Links.at(at));
		model.addAttribute("curl", links.curl(request, key, "/state" + ((at != null) ? "?atSeq=" + at : "")));
		addNames(key, links, model);
		return "console/state";
	}

	/** Serves the next events after a seq, for the live update of an open page. */
	@GetMapping("/tail")
	String tail(@PathVariable String appName, @PathVariable String userId, @PathVariable String sessionId,
			@RequestParam long after, HttpServletRequest request, Model model) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		Links links = Links.of(request);
		EventQuery query = EventQuery.of(false, MomentView.MAX_EVENTS).between(after, Long.MAX_VALUE);
		model.addAttribute("turns", MomentView.turns(key,
				this.events.list(key, query, new InlineDataStripper(links.session(key))).items(), links));
		model.addAttribute("mayWrite", this.permissions.mayWrite(appName));
		model.addAttribute("link", links.session(key));
		return "console/session :: turns";
	}

	static void add(Session session, Links links, Model model) {
		model.addAttribute("about", SessionView.of(session, links));
		addNames(session.key(), links, model);
	}

	/** Adds the names and links of the breadcrumbs of a page about a session. */
	static void addNames(SessionKey key, Links links, Model model) {
		model.addAttribute("app", TruncatedText.of(key.appName(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("appLink", links.app(key.appName()));
		model.addAttribute("user", TruncatedText.of(key.userId(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("userLink", links.user(key.appName(), key.userId()));
		model.addAttribute("id", TruncatedText.of(key.sessionId(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("link", links.session(key));
	}

	private static long check(long at, long revision) {
		if (at < 0 || at > revision) {
			throw new SessionException.InvalidArgument("The event", "must be at most " + revision + ", the newest one");
		}
		return at;
	}

	private static String atSeq(@Nullable Long at) {
		return (at != null) ? "&atSeq=" + at : "";
	}

}
