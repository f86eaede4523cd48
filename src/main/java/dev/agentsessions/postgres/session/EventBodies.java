package dev.agentsessions.postgres.session;

import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Reads events by their seqs, for computations that do not keep them. It reads them in
 * chunks of bounded size, each by a statement of its own.
 */
@Component
class EventBodies {

	private static final EventQuery OLDEST_FIRST = EventQuery.of(false, Integer.MAX_VALUE);

	private static final EventQuery NEWEST_FIRST = EventQuery.of(true, Integer.MAX_VALUE);

	private final HeapBoundedReads reads;

	private final ContextEventsStatement statement;

	private final ResponseHeap memory;

	EventBodies(HeapBoundedReads reads, ContextEventsStatement statement, ResponseHeap memory) {
		this.reads = reads;
		this.statement = statement;
		this.memory = memory;
	}

	/**
	 * Visits all of some events, oldest first.
	 * @throws SessionException.NotFound if the session is gone
	 */
	void oldestFirst(UUID sessionKey, BitSet seqs, Consumer<Event> visitor) {
		BitSet next = SeqRange.following(seqs, 0, ListEventsStatement.MAX_CHUNK_EVENTS);
		while (!next.isEmpty()) {
			int last = visitChunk(sessionKey, OLDEST_FIRST, next, (event) -> {
				visitor.accept(event);
				return true;
			});
			next = SeqRange.following(seqs, last, ListEventsStatement.MAX_CHUNK_EVENTS);
		}
	}

	/**
	 * Visits events, newest first.
	 * @param visitor returns whether to continue
	 * @throws SessionException.NotFound if the session is gone
	 */
	void newestFirst(UUID sessionKey, BitSet seqs, Predicate<Event> visitor) {
		BitSet next = SeqRange.preceding(seqs, seqs.length(), ListEventsStatement.MAX_CHUNK_EVENTS);
		while (!next.isEmpty()) {
			int last = visitChunk(sessionKey, NEWEST_FIRST, next, visitor);
			next = SeqRange.preceding(seqs, last, ListEventsStatement.MAX_CHUNK_EVENTS);
		}
	}

	/**
	 * Visits as many of some events as one chunk has. Returns the seq of the last one; 0
	 * if the visitor stops.
	 */
	private int visitChunk(UUID sessionKey, EventQuery order, BitSet seqs, Predicate<Event> visitor) {
		long before = this.memory.taken();
		List<Event> chunk = this.reads.read((deferFrom) -> this.statement.execute(sessionKey, order, seqs, deferFrom))
			.page()
			.map((page) -> page.items())
			.filter((events) -> !events.isEmpty())
			.orElseThrow(SessionException.NotFound::new);
		boolean more = chunk.stream().allMatch(visitor);
		this.memory.backTo(before);
		return more ? (int) chunk.get(chunk.size() - 1).seq() : 0;
	}

}
