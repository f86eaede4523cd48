package dev.agentsessions.adk.event;

import java.util.BitSet;
import java.util.Iterator;
import java.util.stream.LongStream;

import dev.agentsessions.session.Event;

/**
 * The seqs of events that are written one by one, oldest first. The list is written after
 * the events. It stores only the gaps between seqs, one bit for each missing seq. A whole
 * history therefore needs no memory, and a selection from a million events needs at most
 * 256 kB.
 */
public final class SeqList implements Iterable<Long> {

	private final BitSet missing = new BitSet();

	private long first = 1;

	private long last;

	/** Wraps events so that each one is added to the list when it is read. */
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

	/** Adds a seq, which must be greater than all earlier ones. */
	void add(long seq) {
		if (this.last == 0) {
			this.first = seq;
		}
		else {
			this.missing.set(index(this.last + 1), index(seq));
		}
		this.last = seq;
	}

	/** Returns the seqs that have been added so far. */
	@Override
	public Iterator<Long> iterator() {
		return LongStream.rangeClosed(this.first, this.last).filter((seq) -> !this.missing.get(index(seq))).iterator();
	}

	private int index(long seq) {
		return Math.toIntExact(seq - this.first);
	}

}
