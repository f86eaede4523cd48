package dev.agentsessions.session.usage;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Collects events, session by session, into the rows of a report. */
final class UsageCollector {

	/** No further events are read when there are this many rows. */
	static final int MAX_ROWS = 1000;

	/** No further events are read when the total has this many models. */
	static final int MAX_MODELS = 1000;

	/** No further events are read when all rows together have this many models. */
	static final int MAX_MODELS_OF_ROWS = 5000;

	/** A report names this number of turns that took longest. */
	static final int MAX_SLOWEST = 10;

	private static final Comparator<TimedTurn> FASTEST_FIRST = Comparator.comparing(TimedTurn::worked)
		.thenComparing(TimedTurn::first);

	private static final Comparator<UsageRow> MOST_TOKENS_FIRST = Comparator
		.comparing((UsageRow row) -> -row.usage().tokens().total())
		.thenComparing(UsageRow::name);

	private final Grouping by;

	private final UsageSum total = new UsageSum(0, Instant.EPOCH);

	private final UsageSum copied = new UsageSum(0, Instant.EPOCH);

	private final Map<String, UsageSum> rows = new LinkedHashMap<>();

	/** The turns of the session that is being read. */
	private final Map<String, Turn> turns = new HashMap<>();

	private final PriorityQueue<TimedTurn> slowest = new PriorityQueue<>(FASTEST_FIRST);

	private final @Nullable TimingCollector times;

	private @Nullable UUID session;

	UsageCollector(Grouping by, boolean timed) {
		this.by = by;
		this.times = timed ? new TimingCollector() : null;
	}

	boolean isFull() {
		return this.rows.size() >= MAX_ROWS || this.total.models() >= MAX_MODELS
				|| this.rows.values().stream().mapToInt(UsageSum::models).sum() >= MAX_MODELS_OF_ROWS;
	}

	long events() {
		return this.total.events();
	}

	void add(SpentEvent event) {
		if (!event.session().equals(this.session)) {
			endTurns();
			this.session = event.session();
		}
		List<UsageSum> sums = sumsOfTurn(event);
		sums.forEach((sum) -> sum.add(event));
		if (this.by == Grouping.MODEL && event.usage() != null) {
			row(event).add(event);
		}
		if (!event.invocationId().isEmpty()) {
			this.turns.compute(event.invocationId(),
					(id, turn) -> (turn != null) ? turn.with(event) : new Turn(sums, TimedTurn.of(event)));
		}
		if (this.times != null) {
			this.times.add(event);
		}
	}

	/** A turn counts where its first event counts. A turn is no part of a model. */
	private List<UsageSum> sumsOfTurn(SpentEvent event) {
		List<UsageSum> sums = new ArrayList<>(List.of(this.total));
		if (event.copied()) {
			sums.add(this.copied);
		}
		if (this.by != Grouping.MODEL) {
			sums.add(row(event));
		}
		return sums;
	}

	private UsageSum row(SpentEvent event) {
		return this.rows.computeIfAbsent(name(event), (name) -> new UsageSum(event.seq(), event.time()));
	}

	private String name(SpentEvent event) {
		return switch (this.by) {
			case TURN -> event.invocationId();
			case DAY -> event.time().atOffset(ZoneOffset.UTC).toLocalDate().toString();
			case USER -> event.userId();
			case MODEL -> Objects.toString(event.model(), "");
		};
	}

	private void endTurns() {
		this.turns.values().forEach((turn) -> {
			TimedTurn timed = turn.timed;
			turn.sums.forEach((sum) -> sum.addTurn(timed.duration(), timed.failed()));
			addToSlowest(timed);
		});
		this.turns.clear();
	}

	/** A turn of events that were stored together took no time that is known. */
	private void addToSlowest(TimedTurn turn) {
		if (!turn.worked().isZero()) {
			this.slowest.add(turn);
			if (this.slowest.size() > MAX_SLOWEST) {
				this.slowest.poll();
			}
		}
	}

	UsageReport toReport(UsageStore.End end, PriceProperties prices) {
		endTurns();
		List<UsageRow> rows = this.rows.entrySet()
			.stream()
			.map((row) -> row.getValue().toRow(row.getKey(), prices))
			.sorted(order())
			.toList();
		return new UsageReport(this.total.toUsage(prices), this.copied.toUsage(prices), rows, end.sessions(),
				end.position(), prices.areKnown(), this.slowest.stream().sorted(FASTEST_FIRST.reversed()).toList(),
				(this.times != null) ? this.times.models() : List.of(),
				(this.times != null) ? this.times.tools() : List.of());
	}

	private Comparator<UsageRow> order() {
		return switch (this.by) {
			case TURN -> Comparator.comparingLong(UsageRow::seq);
			case DAY -> Comparator.comparing(UsageRow::name);
			case USER, MODEL -> MOST_TOKENS_FIRST;
		};
	}

	/**
	 * A turn of a session.
	 *
	 * @param sums where it counts
	 * @param timed its events
	 */
	private record Turn(List<UsageSum> sums, TimedTurn timed) {

		Turn with(SpentEvent event) {
			return new Turn(this.sums, this.timed.with(event));
		}

	}

}
