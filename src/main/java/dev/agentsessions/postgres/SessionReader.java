package dev.agentsessions.postgres;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongFunction;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.AnswerMemory;
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

	/**
	 * What is larger is read only when there is memory for it. The state of a session, or
	 * an event, of this size is rare enough to be asked for twice.
	 */
	private static final long LARGE = 1 << 20;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final SessionPages pages;

	private final FindStatement findStatement;

	private final EventsStatement eventsStatement;

	private final EventsByTimeStatement timeline;

	private final EventRepository events;

	private final StateReader state;

	private final AnswerMemory memory;

	SessionReader(Transactions transactions, SessionRepository sessions, SessionPages pages,
			FindStatement findStatement, EventsStatement eventsStatement, EventsByTimeStatement timeline,
			EventRepository events, StateReader state, AnswerMemory memory) {
		this.transactions = transactions;
		this.sessions = sessions;
		this.pages = pages;
		this.findStatement = findStatement;
		this.eventsStatement = eventsStatement;
		this.timeline = timeline;
		this.events = events;
		this.state = state;
		this.memory = memory;
	}

	Optional<Session> find(SessionKey key, EventWindow window) {
		SessionRowCollector rows = this.transactions.statement(() -> this.findStatement.execute(key, window, LARGE));
		if (rows.isComplete()) {
			this.memory.count(rows.size());
			return session(rows, key, window);
		}
		this.memory.take(rows.size());
		return session(this.transactions.statement(() -> this.findStatement.execute(key, window, Long.MAX_VALUE)), key,
				window);
	}

	private Optional<Session> session(SessionRowCollector rows, SessionKey key, EventWindow window) {
		return rows.session((head) -> (piece) -> following(key, piece, head, window));
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
		try {
			return this.transactions.read(() -> this.pages.read(query, true));
		}
		catch (SessionPages.TooLargeException ex) {
			this.memory.take(2L * SessionPages.PAGE);
			return this.transactions.read(() -> this.pages.read(query, false));
		}
	}

	Optional<EventPage> events(SessionKey key, EventQuery query) {
		return page((large) -> this.eventsStatement.execute(ScopeKey.of(key), query, PAGE, large));
	}

	Optional<EventPage> timeline(SessionKey key, TimelineQuery query) {
		return page((large) -> this.timeline.execute(ScopeKey.of(key), query, EventsStatement.PIECE, large));
	}

	private Optional<EventPage> page(LongFunction<EventPageCollector> statement) {
		EventPageCollector rows = this.transactions.statement(() -> statement.apply(LARGE));
		if (rows.isComplete()) {
			this.memory.count(rows.size());
			return rows.page();
		}
		this.memory.take(rows.size());
		return this.transactions.statement(() -> statement.apply(Long.MAX_VALUE)).page();
	}

	Optional<Event> event(SessionKey key, String eventId) {
		this.transactions.statement(() -> this.events.size(ScopeKey.of(key), eventId)).ifPresent(this.memory::take);
		return this.transactions.read(() -> live(key).flatMap((session) -> this.events.find(ScopeKey.of(key), eventId))
			.map(EventEntity::toEvent));
	}

	Map<String, JsonText> state(StateOwner owner) {
		this.memory.take(this.transactions.statement(() -> this.state.size(owner)));
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
		return page((large) -> this.eventsStatement.execute(ScopeKey.of(key), query, EventsStatement.PIECE, large))
			.orElseThrow(SessionException.NotFound::new)
			.items();
	}

}
