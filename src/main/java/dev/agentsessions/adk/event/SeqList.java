package dev.agentsessions.adk.event;

import java.util.BitSet;
import java.util.Iterator;
import java.util.stream.LongStream;

import dev.agentsessions.session.Event;

/**
 * The seqs of events that are written one by one, oldest first, to be written after them.
 * Only the seqs that are missing in between are remembered, one bit each, so a whole
 * history needs no memory, and any part of one of a million events at most 256 kB.
 */
public final class SeqList implements Iterable<Long> {

	private final BitSet missing = new BitSet();

	private long first = 1;

	private long last;

	/** These events, each of which is added when it is its turn. */
	public Iterator<Event> of(Iterator<Event> events) {
		return new Iterator<>() {

			@Override
			public boolean hasNext() {
				return events.hasNext();
			}

			@Override
			public Event next() {
				Event event = events.next();
				add(event.seq());
				return event;
			}

		};
	}

	/** Adds a seq, which is greater than those before. */
	void add(long seq) {
		if (this.last == 0) {
			this.first = seq;
		}
		else {
			this.missing.set(index(this.last + 1), index(seq));
		}
		this.last = seq;
	}

	/** The seqs that have been added until now. */
	@Override
	public Iterator<Long> iterator() {
		return LongStream.rangeClosed(this.first, this.last).filter((seq) -> !this.missing.get(index(seq))).iterator();
	}

	private int index(long seq) {
		return Math.toIntExact(seq - this.first);
	}

}
