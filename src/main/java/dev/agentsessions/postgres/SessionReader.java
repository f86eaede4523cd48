package dev.agentsessions.postgres;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventPage;
import dev.agentsessions.session.EventQuery;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionQuery;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.TimelineQuery;
import dev.agentsessions.json.JsonText;

/** Reads sessions. */
@Component
class SessionReader {

	/** A page of events ends early after about so many characters. */
	private static final int PAGE = 1 << 22;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final SessionPages pages;

	private final FindStatement findStatement;

	private final EventsStatement eventsStatement;

	private final EventsByTimeStatement timeline;

	private final EventRepository events;

	private final StateReader state;

	SessionReader(Transactions transactions, SessionRepository sessions, SessionPages pages,
			FindStatement findStatement, EventsStatement eventsStatement, EventsByTimeStatement timeline,
			EventRepository events, StateReader state) {
		this.transactions = transactions;
		this.sessions = sessions;
		this.pages = pages;
		this.findStatement = findStatement;
		this.eventsStatement = eventsStatement;
		this.timeline = timeline;
		this.events = events;
		this.state = state;
	}

	Optional<Session> find(SessionKey key, EventWindow window) {
		return this.transactions.statement(() -> this.findStatement.execute(key, window))
			.session((head) -> (piece) -> following(key, piece, head, window));
	}

	/** Two are enough to know that there is more than one. */
	List<SessionKey> locate(String appName, String sessionId) {
		UUID appKey = ScopeKey.of(new StateOwner(appName, null));
		return this.transactions.statement(() -> this.sessions.find(appKey, sessionId, Limit.of(2)))
			.stream()
			.map(SessionEntity::key)
			.toList();
	}

	Page<Session> list(SessionQuery query) {
		return this.transactions.read(() -> this.pages.read(query));
	}

	Optional<EventPage> events(SessionKey key, EventQuery query) {
		return this.transactions.statement(() -> this.eventsStatement.execute(ScopeKey.of(key), query, PAGE));
	}

	Optional<EventPage> timeline(SessionKey key, TimelineQuery query) {
		return this.transactions.statement(() -> this.timeline.execute(ScopeKey.of(key), query, EventsStatement.PIECE));
	}

	Optional<Event> event(SessionKey key, String eventId) {
		return this.transactions.read(() -> live(key).flatMap((session) -> this.events.find(ScopeKey.of(key), eventId))
			.map(EventEntity::toEvent));
	}

	Map<String, JsonText> state(StateOwner owner) {
		return this.transactions.statement(() -> this.state.read(owner));
	}

	List<String> appNames() {
		return this.transactions.statement(this.sessions::appNames);
	}

	private Optional<SessionEntity> live(SessionKey key) {
		return this.sessions.find(ScopeKey.of(key));
	}

	private List<Event> following(SessionKey key, List<Event> piece, SessionRowCollector.Head head,
			EventWindow window) {
		EventQuery query = new EventQuery(head.version().createTime(), false, piece.get(piece.size() - 1).seq(),
				head.version().revision() + 1, window.since(), null, null, EventsStatement.likelyToFit(piece));
		return this.transactions
			.statement(() -> this.eventsStatement.execute(ScopeKey.of(key), query, EventsStatement.PIECE))
			.orElseThrow(SessionException.NotFound::new)
			.items();
	}

}
