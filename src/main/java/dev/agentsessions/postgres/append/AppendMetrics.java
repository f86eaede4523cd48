package dev.agentsessions.postgres.append;

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
 * Figures of appends: how many are stored, how long they wait, with how many they share a
 * commit, retries.
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

	/** Tells how much waits here. */
	void watch(AppendQueue queue, BlockedAppends locked) {
		Gauge.builder("agentsessions.append.locked", locked, BlockedAppends::size)
			.description("Appends that wait for a row that somebody holds")
			.register(this.registry);
		Gauge.builder("agentsessions.append.waiting", queue, AppendQueue::size)
			.description("Appends that wait for a writer")
			.register(this.registry);
		Gauge.builder("agentsessions.append.waiting.size", queue, AppendQueue::bytes)
			.description("What the appends need that are not answered yet")
			.baseUnit("bytes")
			.register(this.registry);
	}

	/**
	 * Counts a group that went to the database.
	 * @param stored the events that were stored, empty for the others
	 * @param nanoTime when it went there
	 */
	void stored(List<QueuedAppend> group, List<Optional<AppendResult>> stored, long nanoTime) {
		this.commit.record(System.nanoTime() - nanoTime, TimeUnit.NANOSECONDS);
		this.groupSize.record(group.size());
		group.forEach((append) -> this.wait.record(nanoTime - append.sinceNanoTime(), TimeUnit.NANOSECONDS));
		added(stored.stream().filter(Optional::isPresent).count());
	}

	/** Counts events that were appended, in a group or not. */
	void added(long count) {
		this.events.increment(count);
	}

	void replayed(long count) {
		this.replays.increment(count);
	}

}
