package dev.agentsessions.postgres;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.springframework.stereotype.Component;

/** Figures of appends: how long they wait, with how many they share a commit, retries. */
@Component
class AppendMetrics {

	private final MeterRegistry registry;

	private final Timer wait;

	private final Timer commit;

	private final DistributionSummary groupSize;

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
		this.replays = Counter.builder("agentsessions.append.replays")
			.description("Appends of events that were stored already")
			.register(registry);
	}

	/** Tells how much waits here. */
	void watch(AppendQueue queue) {
		Gauge.builder("agentsessions.append.waiting", queue, AppendQueue::size)
			.description("Appends that wait for a writer")
			.register(this.registry);
		Gauge.builder("agentsessions.append.waiting.size", queue, AppendQueue::bytes)
			.description("What the appends need that are not answered yet")
			.baseUnit("bytes")
			.register(this.registry);
	}

	/**
	 * Counts a group that was stored.
	 * @param nanoTime when it went to the database
	 */
	void stored(List<PendingAppend> group, long nanoTime) {
		this.commit.record(System.nanoTime() - nanoTime, TimeUnit.NANOSECONDS);
		this.groupSize.record(group.size());
		group.forEach((append) -> this.wait.record(nanoTime - append.sinceNanoTime(), TimeUnit.NANOSECONDS));
	}

	void replayed() {
		this.replays.increment();
	}

}
