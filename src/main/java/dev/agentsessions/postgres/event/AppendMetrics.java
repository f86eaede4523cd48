package dev.agentsessions.postgres.event;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.event.AppendResult;

/**
 * Metrics of appends: stored events, replays, waiting time, duration and size of groups,
 * and what is waiting.
 */
@Component
public class AppendMetrics {

	private final MeterRegistry registry;

	private final Timer wait;

	private final Timer commit;

	private final DistributionSummary groupSize;

	private final Counter events;

	private final Counter replays;

	AppendMetrics(MeterRegistry registry) {
		this.registry = registry;
		this.wait = Timer.builder("agentsessions.append.wait")
			.description("How long an append waits before it goes to the database")
			.publishPercentileHistogram()
			.register(registry);
		this.commit = Timer.builder("agentsessions.append.commit")
			.description("How long a group of appends takes in the database, its commit included")
			.publishPercentileHistogram()
			.register(registry);
		this.groupSize = DistributionSummary.builder("agentsessions.append.group.size")
			.description("How many appends share a commit")
			.register(registry);
		this.events = Counter.builder("agentsessions.append.events")
			.description("Events that were appended")
			.register(registry);
		this.replays = Counter.builder("agentsessions.append.replays")
			.description("Appends of events that were stored already")
			.register(registry);
	}

	/** Registers gauges for the waiting and the blocked appends. */
	void watch(AppendQueue queue, BlockedAppends blocked) {
		Gauge.builder("agentsessions.append.locked", blocked, BlockedAppends::size)
			.description("Appends that wait for a row that another transaction has locked")
			.register(this.registry);
		Gauge.builder("agentsessions.append.waiting", queue, AppendQueue::size)
			.description("Appends that wait for a writer")
			.register(this.registry);
		Gauge.builder("agentsessions.append.waiting.size", queue, AppendQueue::bytes)
			.description("Memory of the appends that are waiting or being stored")
			.baseUnit("bytes")
			.register(this.registry);
	}

	/**
	 * Counts a group that was sent to the database.
	 * @param stored for each append of the group the stored event, empty if it was not
	 * stored
	 * @param nanoTime when it was sent, by {@link System#nanoTime()}
	 */
	void stored(List<QueuedAppend> group, List<Optional<AppendResult>> stored, long nanoTime) {
		this.commit.record(System.nanoTime() - nanoTime, TimeUnit.NANOSECONDS);
		this.groupSize.record(group.size());
		group.forEach((append) -> this.wait.record(nanoTime - append.stored().since(), TimeUnit.NANOSECONDS));
		added(stored.stream().filter(Optional::isPresent).count());
	}

	/** Counts appended events, stored in a group or alone. */
	void added(long count) {
		this.events.increment(count);
	}

	void replayed(long count) {
		this.replays.increment(count);
	}

}
