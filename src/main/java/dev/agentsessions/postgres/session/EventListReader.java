package dev.agentsessions.postgres.session;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Lane;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventQuery.TimelineQuery;
import dev.agentsessions.session.event.EventQuery.TimelineQuery.EventPosition;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Reads events of one session as bounded lists. The body of a large event is deferred
 * until there is memory for it.
 */
@Component
public class EventListReader {

	/** A page of events ends early after about this number of characters. */
	private static final int MAX_PAGE_CHARS = 1 << 22;

	/** Sorting more events than this is a heavy read. */
	private static final int MAX_LIGHT_EVENTS = 5000;

	private final Lane heavy;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final EventRepository events;

	private final ListEventsStatement listStatement;

	private final ContextReader context;

	private final HeapBoundedReads reads;

	private final ResponseHeap memory;

	EventListReader(Lanes lanes, Transactions transactions, SessionRepository sessions, EventRepository events,
			ListEventsStatement listStatement, ContextReader context, HeapBoundedReads reads, ResponseHeap memory) {
		this.heavy = lanes.heavy();
		this.transactions = transactions;
		this.sessions = sessions;
		this.events = events;
		this.listStatement = listStatement;
		this.context = context;
		this.reads = reads;
		this.memory = memory;
	}

	/**
	 * Reads a page of events; empty if there is no such session.
	 * @throws SessionException.HistoryChanged if it does not have the event of the point
	 */
	Optional<EventPage> page(UUID key, EventQuery query) {
		if (!appliesTo(query.sessionKey(), key)) {
			return Optional.empty();
		}
		Supplier<Optional<EventPage>> page = () -> (query.view() == HistoryView.CONTEXT)
				? this.context.events(key, query, MAX_PAGE_CHARS) : read(key, query, MAX_PAGE_CHARS);
		return (selects(query) ? this.heavy.run(page) : page.get()).or(() -> refuse(key, query.point()));
	}

	/** No index helps to select events, so at worst all of the history is read. */
	private static boolean selects(EventQuery query) {
		return !query.filter().equals(EventFilter.ALL);
	}

	/**
	 * Reads a chunk: as many events as the service keeps in memory for a client that
	 * reads slowly. Empty if there is no such session.
	 * @throws SessionException.HistoryChanged if it does not have the event of the point
	 */
	public Optional<EventPage> chunk(UUID key, EventQuery query) {
		return read(key, query, ListEventsStatement.MAX_CHUNK_CHARS).or(() -> refuse(key, query.point()));
	}

	/**
	 * Reads a page of events by their own time; empty if there is no such session. It
	 * sorts the history, so a page of a long history is a heavy read.
	 * @throws SessionException.HistoryChanged if it does not have the event of the
	 * position
	 */
	Optional<EventPage> timeline(UUID key, TimelineQuery query) {
		if (!appliesTo(query.sessionKey(), key)) {
			return Optional.empty();
		}
		EventPosition after = query.after();
		Supplier<Optional<EventPage>> ofLong = () -> timeline(key, query, Integer.MAX_VALUE);
		return timeline(key, query, MAX_LIGHT_EVENTS)
			.or(() -> (after == null) ? this.heavy.run(ofLong) : this.heavy.runNext(ofLong))
			.or(() -> refuse(key, (after != null) ? after.event() : null));
	}

	private Optional<EventPage> timeline(UUID key, TimelineQuery query, int maxEvents) {
		return this.reads.read((deferFrom) -> this.listStatement.execute(key, query, maxEvents, deferFrom)).page();
	}

	/** Reads one event; empty if there is none, or no such session. */
	Optional<Event> event(UUID key, String eventId) {
		this.transactions.statement(() -> this.events.size(key, eventId)).ifPresent(this.memory::take);
		return this.transactions.read(() -> this.sessions.find(key)
			.flatMap((session) -> this.events.find(key, eventId))
			.map(EventEntity::toEvent));
	}

	private Optional<EventPage> read(UUID key, EventQuery query, int maxChars) {
		Supplier<Optional<EventPage>> page = () -> this.reads
			.read((deferFrom) -> this.listStatement.execute(key, query, maxChars, deferFrom))
			.page();
		return selects(query) ? this.heavy.runNext(page) : page.get();
	}

	/** There is no page: either the session is gone, or the event of the point is. */
	private Optional<EventPage> refuse(UUID key, @Nullable EventPoint point) {
		if (point != null && this.transactions.statement(() -> this.sessions.find(key)).isPresent()) {
			throw new SessionException.HistoryChanged();
		}
		return Optional.empty();
	}

	/** Whether the session is the one that the list began with. */
	private static boolean appliesTo(@Nullable UUID sessionKey, UUID key) {
		return sessionKey == null || sessionKey.equals(key);
	}

}
