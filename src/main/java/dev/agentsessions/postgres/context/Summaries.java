package dev.agentsessions.postgres.context;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.context.ContextIndex.Mark;
import dev.agentsessions.session.event.TimeRange;

/**
 * The summaries of a history. One that lies within another one goes; of two equal ones,
 * the later one stays. Those that stay are sorted by the first of their times, and so by
 * the last of them, too: only one of them has to be asked about a time.
 */
final class Summaries {

	/** Times are kept in microseconds; numbers of this size are a little coarser. */
	private static final double COARSE = 1e-5;

	private static final Comparator<TimeRange> OUTER_FIRST = Comparator.comparingDouble(TimeRange::from)
		.thenComparing(Comparator.comparingDouble(TimeRange::to).reversed());

	static final Summaries NONE = new Summaries(List.of());

	private final BitSet all = new BitSet();

	private final BitSet staying = new BitSet();

	private final double[] from;

	private final double[] to;

	private final double[] edges;

	private Summaries(List<Mark> marks) {
		List<TimeRange> ranges = new ArrayList<>();
		marks.stream()
			.sorted(Comparator.comparing(Summaries::times, OUTER_FIRST)
				.thenComparing(Comparator.comparingInt(Mark::seq).reversed()))
			.forEach((mark) -> {
				this.all.set(mark.seq());
				if (ranges.isEmpty() || times(mark).to() > ranges.get(ranges.size() - 1).to()) {
					this.staying.set(mark.seq());
					ranges.add(times(mark));
				}
			});
		this.from = ranges.stream().mapToDouble(TimeRange::from).toArray();
		this.to = ranges.stream().mapToDouble(TimeRange::to).toArray();
		this.edges = DoubleStream.concat(Arrays.stream(this.from), Arrays.stream(this.to)).sorted().toArray();
	}

	static Summaries of(List<Mark> marks) {
		return new Summaries(marks);
	}

	private static TimeRange times(Mark mark) {
		return Objects.requireNonNull(mark.times());
	}

	boolean isEmpty() {
		return this.from.length == 0;
	}

	/** Whether an event is a summary that stays; {@code null} if it is none. */
	@Nullable Boolean stays(int seq) {
		return this.all.get(seq) ? this.staying.get(seq) : null;
	}

	/** Whether one of them stands for the events of a time. */
	boolean cover(double time) {
		int place = Arrays.binarySearch(this.from, time);
		int last = (place >= 0) ? place : -place - 2;
		return last >= 0 && time <= this.to[last];
	}

	/** Whether a time is so near to where one begins or ends that each digit counts. */
	boolean isNearEdge(double time) {
		int place = Arrays.binarySearch(this.edges, time - COARSE);
		int next = (place >= 0) ? place : -place - 1;
		return next < this.edges.length && this.edges[next] <= time + COARSE;
	}

}
