package dev.agentsessions.console.list;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.console.list.FailurePageController.Failure;
import dev.agentsessions.console.view.ErrorText;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.FunctionParts;
import dev.agentsessions.session.event.FunctionParts.EventErrors;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions.Found;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.report.FailureService;
import dev.agentsessions.session.report.FailureService.Store.Newest;
import dev.agentsessions.web.PageTokens;

/** Reads the sessions of a page, with the event that matched if events are filtered. */
@Component
class SessionListReader {

	/** A session is live if it was updated within this time. */
	private static final Duration LIVE = Duration.ofMinutes(1);

	private static final int MAX_WORDS = 80;

	private final SessionService sessions;

	private final FailureService failures;

	private final PageTokens tokens;

	SessionListReader(SessionService sessions, FailureService failures, PageTokens tokens) {
		this.sessions = sessions;
		this.failures = failures;
		this.tokens = tokens;
	}

	/** Reads a page of the sessions of a user, or of all users of an app. */
	SessionList read(ListParameters parameters, StateOwner owner, Links links) {
		EventCondition condition = parameters.condition();
		SessionQuery query = parameters.toQuery(owner, this.tokens);
		FoundSessions found = page(query, condition);
		List<SessionView> rows = rows(found, condition, links);
		Position next = found.next();
		return new SessionList(rows, (next != null) ? parameters.next(next, query, this.tokens) : null);
	}

	/** Makes the rows of a page, with what they show of the newest events. */
	private List<SessionView> rows(FoundSessions found, EventCondition condition, Links links) {
		Map<SessionName, TruncatedText> errors = errors(found, condition);
		Map<SessionName, Newest> newest = new HashMap<>();
		this.failures.newest(found.items().stream().map(Found::session).toList())
			.forEach((event) -> newest.put(event.session(), event));
		Instant live = Instant.now().minus(LIVE);
		return found.items().stream().map((item) -> {
			Session session = item.session();
			SessionView row = SessionView.of(session, condition.isEmpty() ? null : item.seq(),
					errors.getOrDefault(session.name(), TruncatedText.EMPTY), links);
			Newest event = newest.get(session.name());
			return (event == null) ? row
					: row.with(new TruncatedText(TruncatedText.brief(words(event.body()), MAX_WORDS), 0),
							status(event, session.lastUpdateTime().isAfter(live)));
		}).toList();
	}

	private static String status(Newest event, boolean live) {
		if (event.waits()) {
			return "waits";
		}
		if (event.failed()) {
			return "error";
		}
		return live ? "live" : "";
	}

	/** Returns what an event says: its texts, the functions that it calls or answers. */
	private static String words(@Nullable JsonText body) {
		JsonObject fields = LenientFields.object(body);
		String words = FunctionParts.of(fields)
			.limit(Failure.MAX_OF_EVENT)
			.map(SessionListReader::words)
			.filter((text) -> !text.isBlank())
			.collect(Collectors.joining(" · "));
		return words.isEmpty() ? ErrorText.ofEvent(fields) : words;
	}

	private static String words(JsonObject part) {
		JsonObject call = LenientFields.object(part, EventFields.FUNCTION_CALL);
		JsonObject response = LenientFields.object(part, EventFields.FUNCTION_RESPONSE);
		if (response != null) {
			String name = LenientFields.text(response, "name");
			return name + (EventErrors.failed(response) ? ": " + ErrorText.ofResponse(response) : " answers");
		}
		return (call != null) ? "calls " + LenientFields.text(call, "name")
				: LenientFields.text(part, EventFields.TEXT);
	}

	/** Reads a page of sessions, by their events if these are filtered. */
	FoundSessions page(SessionQuery query, EventCondition condition) {
		if (!condition.isEmpty()) {
			return this.sessions.find(query, condition);
		}
		Page<Session> page = this.sessions.list(query);
		List<Found> items = page.items().stream().map((session) -> new Found(session, session.revision())).toList();
		return new FoundSessions(items, page.more() ? query.position(page.last()) : null);
	}

	/** Returns what failed in the events by which sessions were found. */
	private Map<SessionName, TruncatedText> errors(FoundSessions found, EventCondition condition) {
		Map<SessionName, TruncatedText> errors = new HashMap<>();
		if (condition.error()) {
			this.failures.read(found, condition, (event) -> errors.put(event.session(), Failure.line(event)));
		}
		return errors;
	}

	/**
	 * A page of sessions, as it is shown.
	 *
	 * @param sessions the sessions
	 * @param next the query string of the next page; {@code null} on the last page
	 */
	record SessionList(List<SessionView> sessions, @Nullable String next) {

		static final SessionList EMPTY = new SessionList(List.of(), null);

	}

}
