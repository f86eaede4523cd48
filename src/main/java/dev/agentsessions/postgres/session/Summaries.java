package dev.agentsessions.postgres.session;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.agentsessions.postgres.session.HistoryEdits.HistoryEdit;
import dev.agentsessions.session.event.TimeRange;

/**
 * The summaries that no rewind takes back. A summary hides the events before it whose
 * times lie in its range and that it does not exclude. A summary whose range lies within
 * that of another one is hidden, and of two equal ranges the earlier summary.
 */
final class Summaries {

	/**
	 * The precision in seconds: stored times have microseconds, and numbers of this size
	 * are a little coarser.
	 */
	private static final double PRECISION_SECONDS = 1e-5;

	private static final Comparator<HistoryEdit> OUTER_FIRST = Comparator
		.comparingDouble((HistoryEdit edit) -> times(edit).from())
		.thenComparing(Comparator.comparingDouble((HistoryEdit edit) -> times(edit).to()).reversed())
		.thenComparing(Comparator.comparingInt(HistoryEdit::seq).reversed());

	/** No summaries. */
	static final Summaries NONE = new Summaries(List.of(), new BitSet());

	private final BitSet all = new BitSet();

	private final BitSet hidden = new BitSet();

	/**
	 * The visible summaries by the begin of their ranges. None lies within another one,
	 * so their ends are in the same order.
	 */
	private final TreeMap<Double, HistoryEdit> whole = new TreeMap<>();

	/** The summaries that exclude events; they hide no other summary. */
	private final List<HistoryEdit> withGaps = new ArrayList<>();

	/**
	 * Finds the summaries among the edits of a history.
	 * @param live the events that no rewind takes back
	 */
	Summaries(List<HistoryEdit> edits, BitSet live) {
		edits.stream()
			.filter((edit) -> edit.summarised() != null && live.get(edit.seq()))
			.sorted(OUTER_FIRST)
			.forEach(this::add);
	}

	private void add(HistoryEdit summary) {
		this.all.set(summary.seq());
		if (!this.whole.isEmpty() && times(this.whole.lastEntry().getValue()).contains(times(summary))) {
			this.hidden.set(summary.seq());
		}
		else if (times(summary).excluded().isEmpty()) {
			this.whole.put(times(summary).from(), summary);
		}
		else {
			this.withGaps.add(summary);
		}
	}

	private static TimeRange times(HistoryEdit summary) {
		return Objects.requireNonNull(summary.summarised());
	}

	boolean isEmpty() {
		return this.all.isEmpty();
	}

	/** Returns the summaries that lie within others. */
	BitSet hidden() {
		return this.hidden;
	}

	/** Whether the event with a seq is a summary. */
	boolean contain(int seq) {
		return this.all.get(seq);
	}

	/**
	 * Whether a summary hides an event.
	 * @param time the exact time that the sender gave the event, in seconds
	 */
	boolean hide(int seq, double time) {
		return around(time)
			.anyMatch((summary) -> summary.seq() > seq && times(summary).replaces(time, PRECISION_SECONDS));
	}

	/**
	 * Whether a time is so close to the begin or the end of a range that it has to be
	 * known exactly.
	 */
	boolean areNearEdge(double time) {
		return around(time)
			.anyMatch((summary) -> isNear(times(summary).from(), time) || isNear(times(summary).to(), time));
	}

	private static boolean isNear(double edge, double time) {
		return Math.abs(edge - time) <= PRECISION_SECONDS;
	}

	/** Returns the summaries whose ranges contain a time or end close to it. */
	private Stream<HistoryEdit> around(double time) {
		return Stream.concat(this.withGaps.stream(),
				this.whole.headMap(time + PRECISION_SECONDS, true)
					.descendingMap()
					.values()
					.stream()
					.takeWhile((summary) -> times(summary).to() >= time - PRECISION_SECONDS));
	}

}
