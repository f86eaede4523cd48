package dev.agentsessions.postgres.context;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.context.ContextIndex.HistoryEdit;
import dev.agentsessions.session.event.TimeRange;

/**
 * The summaries of a session, each with a range of times. A summary is dropped if its
 * range lies within that of another one; of two equal ranges, the later summary stays.
 * The ranges that stay are sorted by their begin, and so also by their end. So a binary
 * search finds the only range that may cover a time.
 */
final class Summaries {

	/**
	 * The precision in seconds: stored times have microseconds, and numbers of this size
	 * are a little coarser.
	 */
	private static final double PRECISION_SECONDS = 1e-5;

	private static final Comparator<TimeRange> OUTER_FIRST = Comparator.comparingDouble(TimeRange::from)
		.thenComparing(Comparator.comparingDouble(TimeRange::to).reversed());

	static final Summaries NONE = new Summaries(List.of());

	private final BitSet all = new BitSet();

	private final BitSet staying = new BitSet();

	private final double[] from;

	private final double[] to;

	private final double[] edges;

	private Summaries(List<HistoryEdit> edits) {
		List<TimeRange> ranges = new ArrayList<>();
		edits.stream()
			.sorted(Comparator.comparing(Summaries::times, OUTER_FIRST)
				.thenComparing(Comparator.comparingInt(HistoryEdit::seq).reversed()))
			.forEach((edit) -> {
				this.all.set(edit.seq());
				if (ranges.isEmpty() || times(edit).to() > ranges.get(ranges.size() - 1).to()) {
					this.staying.set(edit.seq());
					ranges.add(times(edit));
				}
			});
		this.from = ranges.stream().mapToDouble(TimeRange::from).toArray();
		this.to = ranges.stream().mapToDouble(TimeRange::to).toArray();
		this.edges = DoubleStream.concat(Arrays.stream(this.from), Arrays.stream(this.to)).sorted().toArray();
	}

	static Summaries of(List<HistoryEdit> edits) {
		return new Summaries(edits);
	}

	private static TimeRange times(HistoryEdit edit) {
		return Objects.requireNonNull(edit.times());
	}

	boolean isEmpty() {
		return this.from.length == 0;
	}

	/** Whether a summary stays; {@code null} if the event is not a summary. */
	@Nullable Boolean stays(int seq) {
		return this.all.get(seq) ? this.staying.get(seq) : null;
	}

	/** Whether a summary covers the events of a time. */
	boolean cover(double time) {
		int index = Arrays.binarySearch(this.from, time);
		int last = (index >= 0) ? index : -index - 2;
		return last >= 0 && time <= this.to[last];
	}

	/**
	 * Whether a time is so close to the begin or end of a range that it has to be known
	 * exactly.
	 */
	boolean isNearEdge(double time) {
		int index = Arrays.binarySearch(this.edges, time - PRECISION_SECONDS);
		int next = (index >= 0) ? index : -index - 1;
		return next < this.edges.length && this.edges[next] <= time + PRECISION_SECONDS;
	}

}
