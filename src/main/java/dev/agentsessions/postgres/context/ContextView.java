package dev.agentsessions.postgres.context;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

import dev.agentsessions.postgres.event.SeqRange;

/**
 * What of a history a model sees. Its sets do not change.
 *
 * @param revision the last event of the history
 * @param live the events that were not taken back
 * @param kept those of them for which no summary stands
 * @param summaries the summaries
 * @param recalled events with function calls for which a summary stands, and which are
 * needed by what is kept
 * @param answers the answers to other calls of these events
 * @param waiting events with function calls that wait for an answer
 * @param everWaited whether any call ever waited
 */
record ContextView(int revision, BitSet live, BitSet kept, Summaries summaries, Map<Integer, RecalledCalls> recalled,
		BitSet answers, BitSet waiting, boolean everWaited) {

	/** The view of no events. */
	static final ContextView EMPTY = of(0, new BitSet(), Summaries.NONE);

	private static final int SETS = 4;

	private static final int BYTES_OF_RECALLED = 500;

	/** A view with nothing but what was not taken back. */
	static ContextView of(int revision, BitSet live, Summaries summaries) {
		return new ContextView(revision, live, live, summaries, Map.of(), new BitSet(), new BitSet(), false);
	}

	/** What a model sees. */
	BitSet left() {
		BitSet left = SeqRange.common(this.waiting, this.live);
		left.or(this.kept);
		left.or(this.answers);
		this.recalled.keySet().forEach(left::set);
		return left;
	}

	/** The live events for which summaries stand. */
	BitSet covered() {
		return SeqRange.without(this.live, this.kept);
	}

	/** A copy to which more can be added. */
	Map<Integer, RecalledCalls> copyOfRecalled() {
		Map<Integer, RecalledCalls> copy = new HashMap<>();
		this.recalled.forEach((seq, calls) -> copy.put(seq, calls.copy()));
		return copy;
	}

	/** About how much memory it takes. */
	long bytes() {
		return (long) SETS * this.revision / Byte.SIZE + (long) this.recalled.size() * BYTES_OF_RECALLED;
	}

}
