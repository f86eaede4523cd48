package dev.agentsessions.postgres.context;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.event.EventKind;
import dev.agentsessions.session.event.TimeRange;

/**
 * What decides which events of a history a model sees: the time and the kind of each, and
 * which events rewind or compact. As events never change, neither does this; for later
 * events there is another one. The rules are those of ADK Python 2.13
 * ({@code events/_rewind_events.py} and {@code flows/llm_flows/context/_compaction.py}).
 */
final class ContextIndex {

	static final ContextIndex EMPTY = new ContextIndex(new double[0], new short[0], List.of());

	/** In memory only: the time is the one that was sent, to the last digit. */
	static final int EXACT = 1 << 14;

	private static final int BYTES_OF_EVENT = Double.BYTES + Short.BYTES;

	private static final int BYTES_OF_MARK = 64;

	private final double[] times;

	private final short[] kinds;

	private final List<Mark> marks;

	private ContextIndex(double[] times, short[] kinds, List<Mark> marks) {
		this.times = times;
		this.kinds = kinds;
		this.marks = marks;
	}

	/** How many events it knows. */
	int size() {
		return this.times.length;
	}

	/** About how much memory it takes. */
	long bytes() {
		return (long) this.times.length * BYTES_OF_EVENT + (long) this.marks.size() * BYTES_OF_MARK;
	}

	/**
	 * The same with the events that follow.
	 * @param more those that rewind or compact, in their order
	 */
	ContextIndex with(double[] moreTimes, short[] moreKinds, List<Mark> more) {
		double[] allTimes = Arrays.copyOf(this.times, size() + moreTimes.length);
		short[] allKinds = Arrays.copyOf(this.kinds, size() + moreKinds.length);
		System.arraycopy(moreTimes, 0, allTimes, size(), moreTimes.length);
		System.arraycopy(moreKinds, 0, allKinds, size(), moreKinds.length);
		List<Mark> allMarks = new ArrayList<>(this.marks);
		allMarks.addAll(more);
		return new ContextIndex(allTimes, allKinds, List.copyOf(allMarks));
	}

	/** The same with the times of some events as they were sent. */
	ContextIndex withExact(Map<Integer, Double> exact) {
		double[] allTimes = this.times.clone();
		short[] allKinds = this.kinds.clone();
		exact.forEach((seq, time) -> {
			allTimes[seq - 1] = time;
			allKinds[seq - 1] |= EXACT;
		});
		return new ContextIndex(allTimes, allKinds, this.marks);
	}

	/** Whether one of the events from one to another one rewinds or compacts. */
	boolean hasMarks(int first, int last) {
		return this.marks.stream().anyMatch((mark) -> first <= mark.seq && mark.seq <= last);
	}

	/** Those of some events that may mean one of several things. */
	BitSet of(BitSet seqs, int kind) {
		BitSet found = new BitSet();
		seqs.stream().filter((seq) -> (this.kinds[seq - 1] & kind) != 0).forEach(found::set);
		return found;
	}

	/**
	 * The events up to one that were not taken back, from the newest rewind backwards.
	 */
	BitSet live(int revision) {
		BitSet live = SeqRange.between(1, revision);
		for (int place = this.marks.size() - 1; place >= 0; place--) {
			Mark mark = this.marks.get(place);
			if (mark.times == null && mark.seq <= revision && live.get(mark.seq)) {
				live.clear(Math.min(mark.first, mark.seq), mark.seq + 1);
			}
		}
		return live;
	}

	/** The summaries among events that were not taken back. */
	Summaries summaries(BitSet live) {
		return Summaries.of(this.marks.stream().filter((mark) -> mark.times != null && live.get(mark.seq)).toList());
	}

	/**
	 * Those of some events whose times are to be known to the last digit, to tell whether
	 * a summary stands for them: they are kept in microseconds, and ADK compares binary
	 * floating point numbers.
	 */
	BitSet inexact(BitSet seqs, Summaries summaries) {
		BitSet inexact = new BitSet();
		seqs.stream()
			.filter((seq) -> (this.kinds[seq - 1] & (EXACT | EventKind.APART)) == 0)
			.filter((seq) -> summaries.isNearEdge(this.times[seq - 1]))
			.forEach(inexact::set);
		return inexact;
	}

	/** Those of some events for which no summary stands. */
	BitSet kept(BitSet seqs, Summaries summaries) {
		BitSet kept = new BitSet();
		seqs.stream().filter((seq) -> !isCovered(seq, summaries)).forEach(kept::set);
		return kept;
	}

	private boolean isCovered(int seq, Summaries summaries) {
		Boolean stays = summaries.stays(seq);
		if (stays != null) {
			return !stays;
		}
		return (this.kinds[seq - 1] & EventKind.APART) == 0 && summaries.cover(this.times[seq - 1]);
	}

	/**
	 * An event that rewinds or compacts.
	 *
	 * @param seq its place
	 * @param first the first event that it takes back, if it rewinds; itself or a later
	 * one if there are no others
	 * @param times the times of the events that it stands for, {@code null} if it rewinds
	 */
	record Mark(int seq, int first, @Nullable TimeRange times) {
	}

}
