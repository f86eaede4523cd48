package dev.agentsessions.postgres.context;

import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.MemoryBoundedReads;
import dev.agentsessions.postgres.event.ListEventsStatement;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.memory.ResponseMemory;

/**
 * Reads events whose seqs are known, to look at them and forget them. They come in pieces
 * of bounded size, each by a statement of its own.
 */
@Component
class EventBodies {

	private static final EventQuery OLDEST_FIRST = new EventQuery(false, 0, Long.MAX_VALUE, null, null, null,
			Integer.MAX_VALUE);

	private static final EventQuery NEWEST_FIRST = new EventQuery(true, 0, Long.MAX_VALUE, null, null, null,
			Integer.MAX_VALUE);

	private final MemoryBoundedReads reads;

	private final ContextEventsStatement statement;

	private final ResponseMemory memory;

	EventBodies(MemoryBoundedReads reads, ContextEventsStatement statement, ResponseMemory memory) {
		this.reads = reads;
		this.statement = statement;
		this.memory = memory;
	}

	/**
	 * Goes through some events, oldest first.
	 * @param visitor says whether to go on
	 * @throws SessionException.NotFound if the session is gone
	 */
	void oldestFirst(UUID sessionKey, BitSet seqs, Predicate<Event> visitor) {
		int after = 0;
		BitSet next = SeqRange.following(seqs, after, ListEventsStatement.EVENTS_OF_PIECE);
		while (!next.isEmpty()) {
			after = read(sessionKey, OLDEST_FIRST, next, visitor);
			next = SeqRange.following(seqs, after, ListEventsStatement.EVENTS_OF_PIECE);
		}
	}

	/**
	 * Goes through the newest of some events, newest first, as many as one piece has.
	 * @param seqs the events; at least one
	 * @param visitor says whether to go on
	 * @throws SessionException.NotFound if the session is gone
	 */
	void newestFirst(UUID sessionKey, BitSet seqs, Predicate<Event> visitor) {
		read(sessionKey, NEWEST_FIRST, SeqRange.preceding(seqs, seqs.length(), ListEventsStatement.EVENTS_OF_PIECE),
				visitor);
	}

	/** The last event that was visited; behind all if the visitor does not go on. */
	private int read(UUID sessionKey, EventQuery query, BitSet seqs, Predicate<Event> visitor) {
		long before = this.memory.taken();
		List<Event> piece = this.reads.read((large) -> this.statement.execute(sessionKey, query, seqs, large))
			.page()
			.map((page) -> page.items())
			.filter((events) -> !events.isEmpty())
			.orElseThrow(SessionException.NotFound::new);
		boolean more = piece.stream().allMatch(visitor);
		this.memory.backTo(before);
		return more ? (int) piece.get(piece.size() - 1).seq() : Integer.MAX_VALUE;
	}

}
