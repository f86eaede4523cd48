package dev.agentsessions.console.session;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.view.ErrorStatus;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.HistoryService.Divergence;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.InlineDataStripper;

/** Serves the page that compares a session with another one of the same app. */
@Controller
class CompareController {

	/** As many as the page of a session shows. */
	private static final int MAX_EVENTS = 50;

	private final SessionService sessions;

	private final EventService events;

	private final HistoryService histories;

	CompareController(SessionService sessions, EventService events, HistoryService histories) {
		this.sessions = sessions;
		this.events = events;
		this.histories = histories;
	}

	/**
	 * Serves the comparison, or the form that asks for the other session.
	 * @param with the id of the other session; blank for the source of a fork
	 * @param user the user of the other session; blank for the same one
	 * @param after the seq after which the page shows events; by default the seq of the
	 * last common event
	 */
	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/compare")
	ModelAndView compare(SessionName name, @RequestParam(defaultValue = "") String with,
			@RequestParam(defaultValue = "") String user, @RequestParam @Nullable Long after, ReadingMode mode,
			HttpServletRequest request, Model model) {
		Session one = this.sessions.get(name, EventWindow.NONE);
		model.addAttribute("about", SessionView.of(one, Links.of(request)));
		try {
			Session other = StringUtils.hasText(with) ? other(one, with.strip(), user) : source(one);
			if (other != null) {
				addComparison(one, other, after, mode, request, model);
			}
			model.addAttribute("sourceIsGone", other == null && one.forkedFrom() != null);
			return new ModelAndView("console/compare");
		}
		catch (SessionException ex) {
			model.addAttribute("with", with);
			model.addAttribute("withUser", user);
			return ErrorStatus.again("console/compare", ex, model);
		}
	}

	private Session other(Session one, String id, String user) {
		SessionName name = one.name();
		return this.sessions.get(new SessionName(name.appName(), StringUtils.hasText(user) ? user : name.userId(), id),
				EventWindow.NONE);
	}

	/** Returns the source of a fork; {@code null} if there is none any more. */
	private @Nullable Session source(Session one) {
		ForkedFrom origin = one.forkedFrom();
		try {
			return (origin != null) ? other(one, origin.sessionId(), "") : null;
		}
		catch (SessionException.NotFound ex) {
			return null;
		}
	}

	private void addComparison(Session one, Session other, @Nullable Long after, ReadingMode mode,
			HttpServletRequest request, Model model) {
		Divergence divergence = this.histories.divergence(one, other);
		long last = Math.max(one.revision(), other.revision());
		long start = (after != null) ? Math.min(Math.max(0, after), last) : divergence.common();
		SideView ours = side(one, start, "ours-", mode, request);
		SideView theirs = side(other, start, "theirs-", mode, request);
		String address = Links.of(request).session(one.name()) + "/compare?with="
				+ Links.encode(other.name().sessionId()) + "&user=" + Links.encode(other.name().userId()) + "&after=";
		model.addAttribute("divergence", divergence);
		model.addAttribute("ours", ours);
		model.addAttribute("theirs", theirs);
		model.addAttribute("states", StateDifference.of(one.state(), other.state(), mode));
		model.addAttribute("here", address + start);
		model.addAttribute("earlier", (start > 0) ? mode.on(address + Math.max(0, start - MAX_EVENTS)) : null);
		model.addAttribute("later", (ours.more() || theirs.more()) ? mode.on(address + (start + MAX_EVENTS)) : null);
	}

	private SideView side(Session session, long start, String prefix, ReadingMode mode, HttpServletRequest request) {
		Links links = Links.of(request);
		SessionName name = session.name();
		EventQuery query = EventQuery.of(false, MAX_EVENTS).ofSession(session.sessionKey()).after(start);
		EventPage page = this.events.list(name, query, new InlineDataStripper(links.session(name)));
		EventViews views = new EventViews(name, links, mode, Set.of());
		return new SideView(SessionView.of(session, links), prefix, views.turns(page.items(), Map.of()), page.more(),
				links.curl(request, name, "?fromSeq=" + (start + 1)));
	}

	/**
	 * One of the two sessions of a comparison.
	 *
	 * @param about the session
	 * @param prefix the prefix of the ids of its events on the page
	 * @param turns its events, the oldest first
	 * @param more whether it has later events
	 * @param curl the command that reads the same events
	 */
	record SideView(SessionView about, String prefix, List<TurnView> turns, boolean more, String curl) {

	}

	/**
	 * The difference of two states.
	 *
	 * @param keys the keys that differ, in sorted order
	 * @param omittedKeys the number of keys that differ and are not shown
	 * @param sameKeys the number of keys with the same value
	 */
	record StateDifference(List<Key> keys, int omittedKeys, int sameKeys) {

		private static final int MAX_KEYS = 200;

		private static final int MAX_VALUE_CHARS = 2000;

		static StateDifference of(Map<String, JsonText> ours, Map<String, JsonText> theirs, ReadingMode mode) {
			TreeSet<String> names = new TreeSet<>(ours.keySet());
			names.addAll(theirs.keySet());
			List<String> different = names.stream()
				.filter((name) -> !isSame(ours.get(name), theirs.get(name)))
				.toList();
			List<Key> keys = different.stream()
				.limit(MAX_KEYS)
				.map((name) -> new Key(TruncatedText.line(name), view(ours.get(name), mode),
						view(theirs.get(name), mode)))
				.toList();
			return new StateDifference(keys, different.size() - keys.size(), names.size() - different.size());
		}

		private static boolean isSame(@Nullable JsonText one, @Nullable JsonText other) {
			return one != null && one.isSameValueAs(other);
		}

		private static @Nullable TruncatedText view(@Nullable JsonText value, ReadingMode mode) {
			return (value != null) ? mode.json(value, MAX_VALUE_CHARS) : null;
		}

		/**
		 * A key that differs.
		 *
		 * @param name its name
		 * @param ours its value in the first session; {@code null} if it has none
		 * @param theirs its value in the other session
		 */
		record Key(TruncatedText name, @Nullable TruncatedText ours, @Nullable TruncatedText theirs) {

		}

	}

}
