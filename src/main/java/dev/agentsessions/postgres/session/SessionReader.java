package dev.agentsessions.postgres.session;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.HeavyReads;
import dev.agentsessions.postgres.MemoryBoundedReads;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.context.ContextReader;
import dev.agentsessions.postgres.event.EventEntity;
import dev.agentsessions.postgres.event.EventRepository;
import dev.agentsessions.postgres.event.ListEventsStatement;
import dev.agentsessions.postgres.event.NextEventsStatement;
import dev.agentsessions.postgres.state.InitialStateStatements;
import dev.agentsessions.postgres.state.StateRepository;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.memory.ResponseMemory;

/**
 * Reads what may be large: a session with its history, events and state. What is large is
 * read only when there is memory for it.
 */
@Component
public class SessionReader {

	/** A page of events ends early after about so many characters. */
	private static final int PAGE = 1 << 22;

	private final SessionKeys keys;

	private final HeavyReads heavyReads;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final FindSessionStatement findStatement;

	private final ListEventsStatement eventsStatement;

	private final NextEventsStatement followingStatement;

	private final EventRepository events;

	private final StateRepository state;

	private final InitialStateStatements initialStates;

	private final ResponseMemory memory;

	private final MemoryBoundedReads reads;

	private final ContextReader context;

	SessionReader(SessionKeys keys, HeavyReads heavyReads, Transactions transactions, SessionRepository sessions,
			FindSessionStatement findStatement, ListEventsStatement eventsStatement,
			NextEventsStatement followingStatement, EventRepository events, StateRepository state,
			InitialStateStatements initialStates, ResponseMemory memory, MemoryBoundedReads reads,
			ContextReader context) {
		this.keys = keys;
		this.heavyReads = heavyReads;
		this.transactions = transactions;
		this.sessions = sessions;
		this.findStatement = findStatement;
		this.eventsStatement = eventsStatement;
		this.followingStatement = followingStatement;
		this.events = events;
		this.state = state;
		this.initialStates = initialStates;
		this.memory = memory;
		this.reads = reads;
		this.context = context;
	}

	public Optional<Session> find(SessionKey names, EventWindow window) {
		return this.keys.read(names, (key) -> find(names, key, window));
	}

	/** Reads the session that has a key. */
	public Optional<Session> find(SessionKey names, UUID key, EventWindow window) {
		if (window.view() == HistoryView.CONTEXT) {
			return findContext(names, key, window);
		}
		return find(key, window, (large) -> this.findStatement.execute(names, key, window, large));
	}

	/** The same with all events, but without what the session shares with others. */
	public Optional<Session> findAlone(SessionKey names) {
		return this.keys.read(names,
				(key) -> this.reads.read((large) -> this.findStatement.executeAlone(names, key, large))
					.found()
					.map((found) -> found.session().toSession(found.state(), wholeHistory(key, found))));
	}

	/** What follows the first events is read as heavy work. */
	private EventStream wholeHistory(UUID key, SessionRows.Found found) {
		return this.reads.history(found.events(), (piece) -> this.heavyReads
			.run(() -> following(key, piece, found.session().version(), EventWindow.ALL)));
	}

	/** The same with what a model sees of the history. */
	private Optional<Session> findContext(SessionKey names, UUID key, EventWindow window) {
		EventWindow none = EventWindow.NONE.of(HistoryView.CONTEXT);
		return this.reads.read((large) -> this.findStatement.execute(names, key, none, large))
			.found()
			.map((found) -> found.session()
				.toSession(found.state(),
						this.context.history(key, found.session().version(), found.marked(), window)));
	}

	/**
	 * The own state with which a session began.
	 * @throws SessionException.NotFound if this session is gone
	 */
	public Map<String, JsonText> initialState(UUID birth) {
		return this.reads.read((large) -> this.initialStates.find(birth, large)).state();
	}

	private Optional<Session> find(UUID key, EventWindow window, LongFunction<SessionRows> statement) {
		return this.reads.read(statement)
			.found()
			.map((found) -> found.session().toSession(found.state(), history(key, found, window)));
	}

	private EventStream history(UUID key, SessionRows.Found found, EventWindow window) {
		SessionVersion version = found.session().version();
		return found.isWhole() ? new EventStream(found.events())
				: this.reads.history(found.events(), (piece) -> following(key, piece, version, window));
	}

	/** Events of a session up to a version of it, whatever has followed since. */
	public EventStream history(SessionVersion version, EventWindow window) {
		UUID key = version.birth();
		if (window.view() == HistoryView.CONTEXT) {
			return this.context.history(key, version, window);
		}
		long first = first(key, version.revision(), window);
		if (first == 0 || first > version.revision()) {
			return EventStream.EMPTY;
		}
		EventQuery query = new EventQuery(key, false, first - 1, version.revision() + 1, window.since(), null, null,
				ListEventsStatement.EVENTS_OF_PIECE);
		List<Event> piece = events(key, query, ListEventsStatement.PIECE).orElseThrow(SessionException.NotFound::new)
			.items();
		return this.reads.history(piece, (last) -> following(key, last, version, window));
	}

	/** The seq with which a window up to another one begins, zero if it is empty. */
	private long first(UUID sessionKey, long last, EventWindow window) {
		Integer recent = window.recent();
		if (recent == null || window.isEmpty()) {
			return window.isEmpty() ? 0 : window.fromSeq();
		}
		Instant since = window.since();
		long first = (since == null) ? Math.max(1, last - recent + 1)
				: this.transactions.statement(() -> this.events.firstOfNewest(sessionKey, last, since, recent));
		return (first == 0) ? 0 : Math.max(first, window.fromSeq());
	}

	/** The events of a version of a session that follow others. */
	private List<Event> following(UUID key, List<Event> piece, SessionVersion version, EventWindow window) {
		long last = piece.get(piece.size() - 1).seq();
		if (last == version.revision()) {
			return List.of();
		}
		EventQuery query = new EventQuery(key, false, last, version.revision() + 1, window.since(), null, null,
				ListEventsStatement.likelyToFit(piece));
		List<Event> following = this.reads.read((large) -> this.followingStatement.execute(key, query, large)).events();
		// The window may show none of those that are left, or the session be gone.
		return !following.isEmpty() ? following
				: events(key, query, ListEventsStatement.PIECE).orElseThrow(SessionException.NotFound::new).items();
	}

	public Optional<EventPage> events(SessionKey names, EventQuery query) {
		return this.keys.read(names, (key) -> isMeant(query.birth(), key) ? eventsOf(key, query) : Optional.empty());
	}

	private Optional<EventPage> eventsOf(UUID key, EventQuery query) {
		return (query.view() == HistoryView.CONTEXT) ? this.context.events(key, query, PAGE) : events(key, query, PAGE);
	}

	/** The same, but no more than should be kept for a client that is slow to read. */
	public Optional<EventPage> piece(UUID birth, EventQuery query) {
		return events(birth, query, ListEventsStatement.PIECE);
	}

	private Optional<EventPage> events(UUID key, EventQuery query, int size) {
		return this.reads.read((large) -> this.eventsStatement.execute(key, query, size, large)).page();
	}

	/** A list that has begun with one session does not go on with another one. */
	private static boolean isMeant(@Nullable UUID birth, UUID key) {
		return birth == null || birth.equals(key);
	}

	public Optional<EventPage> timeline(SessionKey names, TimelineQuery query) {
		return this.keys.read(names,
				(key) -> isMeant(query.birth(), key) ? this.reads
					.read((large) -> this.eventsStatement.execute(key, query, ListEventsStatement.PIECE, large))
					.page() : Optional.empty());
	}

	public Optional<Event> event(SessionKey names, String eventId) {
		return this.keys.read(names, (key) -> event(key, eventId));
	}

	private Optional<Event> event(UUID key, String eventId) {
		this.transactions.statement(() -> this.events.size(key, eventId)).ifPresent(this.memory::take);
		return this.transactions.read(() -> this.sessions.find(key)
			.flatMap((session) -> this.events.find(key, eventId))
			.map(EventEntity::toEvent));
	}

	public Map<String, JsonText> state(StateOwner owner) {
		this.memory.take(this.transactions.statement(() -> this.state.size(ScopeKey.of(owner))));
		return this.transactions.statement(() -> this.state.read(owner));
	}

}
