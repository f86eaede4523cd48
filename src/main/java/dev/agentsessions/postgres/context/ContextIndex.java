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
 * The data that decides which events of a session a model sees: the time and the kind of
 * each event, and the events that rewind or compact. It is immutable, as stored events
 * are. An index with later events is a new one. The rules are those of ADK Python 2.13
 * ({@code events/_rewind_events.py} and {@code flows/llm_flows/context/_compaction.py}).
 */
final class ContextIndex {

	static final ContextIndex EMPTY = new ContextIndex(new double[0], new short[0], List.of());

	/**
	 * Bit of a kind, in memory only: the time is exactly the one that the client sent.
	 */
	static final int EXACT = 1 << 14;

	private static final int BYTES_PER_EVENT = Double.BYTES + Short.BYTES;

	private static final int BYTES_PER_EDIT = 64;

	private final double[] times;

	private final short[] kinds;

	private final List<HistoryEdit> edits;

	private ContextIndex(double[] times, short[] kinds, List<HistoryEdit> edits) {
		this.times = times;
		this.kinds = kinds;
		this.edits = edits;
	}

	/** Returns the number of its events, which is the seq of the last one. */
	int size() {
		return this.times.length;
	}

	/** Returns about how much memory it takes, in bytes. */
	long bytes() {
		return (long) this.times.length * BYTES_PER_EVENT + (long) this.edits.size() * BYTES_PER_EDIT;
	}

	/**
	 * Returns an index with further events.
	 * @param more those of the further events that rewind or compact, in their order
	 */
	ContextIndex with(double[] moreTimes, short[] moreKinds, List<HistoryEdit> more) {
		double[] allTimes = Arrays.copyOf(this.times, size() + moreTimes.length);
		short[] allKinds = Arrays.copyOf(this.kinds, size() + moreKinds.length);
		System.arraycopy(moreTimes, 0, allTimes, size(), moreTimes.length);
		System.arraycopy(moreKinds, 0, allKinds, size(), moreKinds.length);
		List<HistoryEdit> allEdits = new ArrayList<>(this.edits);
		allEdits.addAll(more);
		return new ContextIndex(allTimes, allKinds, List.copyOf(allEdits));
	}

	/** Returns an index with the exact times of some events. */
	ContextIndex withExact(Map<Integer, Double> exact) {
		double[] allTimes = this.times.clone();
		short[] allKinds = this.kinds.clone();
		exact.forEach((seq, time) -> {
			allTimes[seq - 1] = time;
			allKinds[seq - 1] |= EXACT;
		});
		return new ContextIndex(allTimes, allKinds, this.edits);
	}

	/**
	 * Whether one of the events from {@code first} to {@code last} rewinds or compacts.
	 */
	boolean hasEdits(int first, int last) {
		return this.edits.stream().anyMatch((edit) -> first <= edit.seq && edit.seq <= last);
	}

	/** Returns those of some events that have one of these bits of {@link EventKind}. */
	BitSet of(BitSet seqs, int kind) {
		BitSet found = new BitSet();
		seqs.stream().filter((seq) -> (this.kinds[seq - 1] & kind) != 0).forEach(found::set);
		return found;
	}

	/**
	 * Returns the events up to a revision that no rewind takes back. Goes through the
	 * rewinds from the newest to the oldest, because a rewind may take back an earlier
	 * one.
	 */
	BitSet live(int revision) {
		BitSet live = SeqRange.between(1, revision);
		for (int index = this.edits.size() - 1; index >= 0; index--) {
			HistoryEdit edit = this.edits.get(index);
			if (edit.times == null && edit.seq <= revision && live.get(edit.seq)) {
				live.clear(Math.min(edit.first, edit.seq), edit.seq + 1);
			}
		}
		return live;
	}

	/** Returns the summaries among events that no rewind takes back. */
	Summaries summaries(BitSet live) {
		return Summaries.of(this.edits.stream().filter((edit) -> edit.times != null && live.get(edit.seq)).toList());
	}

	/**
	 * Returns those of some events whose exact times have to be read to decide whether a
	 * summary covers them. The database stores times in microseconds, and ADK compares
	 * binary floating point numbers.
	 */
	BitSet inexact(BitSet seqs, Summaries summaries) {
		BitSet inexact = new BitSet();
		seqs.stream()
			.filter((seq) -> (this.kinds[seq - 1] & (EXACT | EventKind.NEVER_SUMMARISED)) == 0)
			.filter((seq) -> summaries.isNearEdge(this.times[seq - 1]))
			.forEach(inexact::set);
		return inexact;
	}

	/** Returns those of some events that no summary covers. */
	BitSet uncovered(BitSet seqs, Summaries summaries) {
		BitSet uncovered = new BitSet();
		seqs.stream().filter((seq) -> !isCovered(seq, summaries)).forEach(uncovered::set);
		return uncovered;
	}

	private boolean isCovered(int seq, Summaries summaries) {
		Boolean stays = summaries.stays(seq);
		if (stays != null) {
			return !stays;
		}
		return (this.kinds[seq - 1] & EventKind.NEVER_SUMMARISED) == 0 && summaries.cover(this.times[seq - 1]);
	}

	/**
	 * An event that rewinds or compacts.
	 *
	 * @param seq its seq
	 * @param first the first event that a rewind takes back; its own seq or a later one
	 * if there is no other
	 * @param times the times of the events that a summary covers; {@code null} for a
	 * rewind
	 */
	record HistoryEdit(int seq, int first, @Nullable TimeRange times) {
	}

}
