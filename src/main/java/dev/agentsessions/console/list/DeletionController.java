package dev.agentsessions.console.list;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.view.ErrorStatus;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions.Found;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/**
 * Deletes the sessions that the filter of a list finds, after the name of the user or app
 * was typed, and shows a receipt. It deletes those that are still as they were shown,
 * each by a call of its own, so a session that gets an event in between stays.
 */
@Controller
@RequestMapping({ ConsoleAccess.PATH + "/apps/{appName}" + DeletionController.PAGE,
		ConsoleAccess.PATH + "/apps/{appName}/users/{userId}" + DeletionController.PAGE })
class DeletionController {

	static final String PAGE = "/delete-sessions";

	private static final int MAX_SESSIONS = 1000;

	private static final int MAX_SHOWN = 20;

	private static final int PAGE_SIZE = 200;

	private static final Duration TIME_TO_FIND = Duration.ofSeconds(5);

	private static final Duration TIME_TO_DELETE = Duration.ofSeconds(20);

	private final AccessPolicy access;

	private final SessionService sessions;

	private final SessionListReader lists;

	private final PageTokens tokens;

	private final ResponseHeap memory;

	DeletionController(AccessPolicy access, SessionService sessions, SessionListReader lists, PageTokens tokens,
			ResponseHeap memory) {
		this.access = access;
		this.sessions = sessions;
		this.lists = lists;
		this.tokens = tokens;
		this.memory = memory;
	}

	/** Returns the page that deletes what a list shows; {@code null} for a whole list. */
	static @Nullable String link(String list, ListParameters parameters, HttpServletRequest request) {
		return parameters.isFiltered() ? list + PAGE + ListParameters.ofRequest(request) : null;
	}

	/** Serves the confirmation page, or says why the filter does not do. */
	@GetMapping
	ModelAndView ask(@PathVariable String appName, @PathVariable @Nullable String userId, ListParameters parameters,
			HttpServletRequest request, Model model) {
		StateOwner owner = permitted(appName, userId);
		addNames(owner, request, model);
		try {
			model.addAttribute("selection", find(parameters, owner, Links.of(request)));
			return new ModelAndView("console/delete-sessions");
		}
		catch (SessionException.InvalidArgument ex) {
			return ErrorStatus.again("console/delete-sessions", ex, model);
		}
	}

	/** Deletes the sessions, or shows the form again if another name was typed. */
	@PostMapping
	ModelAndView delete(@PathVariable String appName, @PathVariable @Nullable String userId, ListParameters parameters,
			@RequestParam(defaultValue = "") String typed, @RequestParam(defaultValue = "") String shown,
			HttpServletRequest request, Model model) {
		StateOwner owner = permitted(appName, userId);
		if (!typed.strip().equals(((userId != null) ? userId : appName).strip())) {
			model.addAttribute("typed", typed);
			model.addAttribute("error", "Nothing was deleted: this is not the name.");
			ModelAndView form = ask(appName, userId, parameters, request, model);
			form.setStatus(HttpStatus.BAD_REQUEST);
			return form;
		}
		addNames(owner, request, model);
		Deletion deletion = delete(parameters, owner, ShownSessions.parse(shown));
		model.addAttribute("deletion", deletion);
		model.addAttribute("receipt", receipt(owner, parameters, deletion, request));
		return new ModelAndView("console/delete-sessions");
	}

	private StateOwner permitted(String appName, @Nullable String userId) {
		StateOwner owner = new StateOwner(appName, userId);
		this.access.checkRole(Access.WRITE, appName);
		this.access.checkSessions(Access.WRITE, owner);
		return owner;
	}

	private static void addNames(StateOwner owner, HttpServletRequest request, Model model) {
		String list = Links.of(request).owner(owner);
		String query = ListParameters.ofRequest(request);
		model.addAttribute("ofUser", owner.userId() != null);
		model.addAttribute("list", list + query);
		model.addAttribute("action", list + PAGE + query);
	}

	private TruncatedText receipt(StateOwner owner, ListParameters parameters, Deletion deletion,
			HttpServletRequest request) {
		JsonObject what = JsonObject.EMPTY.with("app", JsonStrings.of(owner.appName()));
		if (owner.userId() != null) {
			what = what.with("user", JsonStrings.of(owner.userId()));
		}
		Map<String, String> filter = parameters.filters();
		filter.replaceAll((name, value) -> TruncatedText.line(value).text());
		what = what.with("filter", JsonObject.ofTexts(filter).toJson())
			.with("sessions", number(deletion.sessions()))
			.with("events", number(deletion.events()))
			.with("changedAndLeft", number(deletion.changed()))
			.with("remaining", number(deletion.remaining()));
		return EraseController.receipt("deleted", what, this.access.caller(), request);
	}

	private static JsonText number(long number) {
		return new JsonText(Long.toString(number));
	}

	/**
	 * Finds the sessions to delete.
	 * @throws SessionException.InvalidArgument if nothing is filtered
	 */
	private SessionsToDelete find(ListParameters parameters, StateOwner owner, Links links) {
		ShownSessions shown = new ShownSessions();
		List<SessionView> first = new ArrayList<>();
		boolean more = walk(parameters, owner, TIME_TO_FIND, (session) -> {
			if (shown.count() == MAX_SESSIONS) {
				return false;
			}
			shown.add(session);
			if (first.size() < MAX_SHOWN) {
				first.add(SessionView.of(session, links));
			}
			return true;
		});
		return new SessionsToDelete(first, shown, more);
	}

	/**
	 * Deletes the sessions that the filter still finds and that have the events that were
	 * shown. It ends when the time is over or the database is too busy.
	 * @throws SessionException.InvalidArgument if nothing is filtered
	 */
	private Deletion delete(ListParameters parameters, StateOwner owner, ShownSessions shown) {
		ShownSessions left = new ShownSessions();
		left.versions().putAll(shown.versions());
		ShownSessions deleted = new ShownSessions();
		boolean more = true;
		try {
			more = walk(parameters, owner, TIME_TO_DELETE, (session) -> {
				SessionVersion version = left.versions().get(session.sessionKey());
				if (version != null) {
					if (delete(session, version)) {
						deleted.add(session);
					}
					left.versions().remove(session.sessionKey());
				}
				return left.count() > 0;
			});
		}
		catch (SessionException.Unavailable ex) {
			if (deleted.count() == 0) {
				throw ex;
			}
		}
		int remaining = more ? left.count() : 0;
		return new Deletion(deleted.count(), deleted.events(), shown.count() - deleted.count() - remaining, remaining);
	}

	private boolean delete(Session session, SessionVersion shown) {
		try {
			return this.sessions.delete(session.name(), Precondition.of(shown).withoutDetails());
		}
		catch (SessionException.Stale ex) {
			return false;
		}
	}

	/**
	 * Reads sessions until the visitor wants no more.
	 * @return whether there may be more
	 */
	private boolean walk(ListParameters parameters, StateOwner owner, Duration time, Predicate<Session> visitor) {
		if (!parameters.isFiltered()) {
			throw new SessionException.InvalidArgument("filter", "must be set: many sessions are deleted by a filter");
		}
		EventCondition condition = parameters.condition();
		SessionQuery query = parameters.toQuery(owner, this.tokens).limit(PAGE_SIZE);
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < time.toNanos()) {
			FoundSessions page = this.lists.page(query, condition);
			for (Found found : page.items()) {
				if (System.nanoTime() - begin >= time.toNanos() || !visitor.test(found.session())) {
					return true;
				}
			}
			this.memory.backTo(0);
			if (page.next() == null) {
				return false;
			}
			query = query.after(page.next());
		}
		return true;
	}

	/**
	 * The sessions that a filter finds, before they are deleted.
	 *
	 * @param first the first of them, as they are shown
	 * @param sessions all of them
	 * @param more whether the filter finds more, or may find more
	 */
	record SessionsToDelete(List<SessionView> first, ShownSessions sessions, boolean more) {

	}

	/**
	 * What a deletion of many sessions has done.
	 *
	 * @param sessions the number of deleted sessions
	 * @param events the number of events of these sessions
	 * @param changed the number of sessions that are left because they have changed or
	 * are gone
	 * @param remaining the number of sessions that it has not come to
	 */
	record Deletion(long sessions, long events, long changed, long remaining) {

	}

	/**
	 * The sessions about which a page asked, each with its version at that time. A form
	 * carries them, so that a person deletes nothing but what the page has counted.
	 *
	 * @param versions the versions by the keys of the sessions
	 */
	record ShownSessions(Map<UUID, SessionVersion> versions) {

		/**
		 * No character of the text needs an escape in a form: the size of forms is
		 * limited.
		 */
		private static final String SEPARATOR = "*";

		/** Makes the microseconds of a time shorter, because a form has many. */
		private static final int RADIX = Character.MAX_RADIX;

		ShownSessions() {
			this(new LinkedHashMap<>());
		}

		/**
		 * Reads the field of a form.
		 * @throws SessionException.InvalidArgument if no page has written it
		 */
		static ShownSessions parse(String text) {
			ShownSessions sessions = new ShownSessions();
			try {
				for (String session : text.isEmpty() ? new String[0] : text.split("[*]")) {
					String[] parts = session.split("[.]");
					UUID sessionKey = UUID.fromString(parts[0]);
					sessions.versions.put(sessionKey, new SessionVersion(Long.parseLong(parts[1]), sessionKey,
							Timestamps.ofEpochMicros(Long.parseLong(parts[2], RADIX)), 0));
				}
			}
			catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException ex) {
				throw new SessionException.InvalidArgument("shown", "must be as the page has sent it");
			}
			return sessions;
		}

		void add(Session session) {
			this.versions.put(session.sessionKey(), session.version());
		}

		/** Returns the field of a form. */
		public String text() {
			return this.versions.values()
				.stream()
				.map((version) -> version.sessionKey() + "." + version.revision() + "."
						+ Long.toString(Timestamps.toEpochMicros(version.lastUpdateTime()), RADIX))
				.collect(Collectors.joining(SEPARATOR));
		}

		public int count() {
			return this.versions.size();
		}

		public long events() {
			return this.versions.values().stream().mapToLong(SessionVersion::revision).sum();
		}

	}

}
