package dev.agentsessions.postgres.context;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

import dev.agentsessions.postgres.event.SeqRange;

/**
 * The events that a model sees of a session. Its sets do not change.
 *
 * @param revision the seq of the last event
 * @param live the events that no rewind takes back
 * @param uncovered those of them that no summary covers
 * @param summaries the summaries
 * @param recalled covered events with function calls that uncovered events need
 * @param answers the events that answer the other calls of these events
 * @param waiting events with function calls that wait for an answer
 * @param everWaited whether any call of the session ever waited
 */
record ContextView(int revision, BitSet live, BitSet uncovered, Summaries summaries,
		Map<Integer, RecalledCalls> recalled, BitSet answers, BitSet waiting, boolean everWaited) {

	/** The view of no events. */
	static final ContextView EMPTY = of(0, new BitSet(), Summaries.NONE);

	private static final int SETS = 4;

	private static final int BYTES_PER_RECALLED = 500;

	/** Returns a view in which no summary covers an event. */
	static ContextView of(int revision, BitSet live, Summaries summaries) {
		return new ContextView(revision, live, live, summaries, Map.of(), new BitSet(), new BitSet(), false);
	}

	/** Returns all events that a model sees. */
	BitSet visible() {
		BitSet visible = SeqRange.common(this.waiting, this.live);
		visible.or(this.uncovered);
		visible.or(this.answers);
		this.recalled.keySet().forEach(visible::set);
		return visible;
	}

	/** Returns a copy to which more can be added. */
	Map<Integer, RecalledCalls> copyOfRecalled() {
		Map<Integer, RecalledCalls> copy = new HashMap<>();
		this.recalled.forEach((seq, calls) -> copy.put(seq, calls.copy()));
		return copy;
	}

	/** Returns about how much memory it takes, in bytes. */
	long bytes() {
		return (long) SETS * this.revision / Byte.SIZE + (long) this.recalled.size() * BYTES_PER_RECALLED;
	}

}
