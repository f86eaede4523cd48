package dev.agentsessions.postgres;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/**
 * Metrics of reads from the database: their number and size. Each chunk of a stream
 * counts as a read.
 */
@Component
public class ReadMetrics {

	/** Bounds of the histogram, in characters. */
	private static final double[] SIZES = { 1e3, 1e4, 1e5, 1e6, 1e7, 1e8 };

	private final DistributionSummary sessions;

	private final DistributionSummary lists;

	private final Counter events;

	ReadMetrics(MeterRegistry registry) {
		this.sessions = sizes(registry, "session");
		this.lists = sizes(registry, "list");
		this.events = Counter.builder("agentsessions.read.events")
			.description("Events that were read")
			.register(registry);
	}

	private static DistributionSummary sizes(MeterRegistry registry, String what) {
		return DistributionSummary.builder("agentsessions.read.size")
			.description("Size of a read of a session with its events and state, or of a list of sessions")
			.baseUnit("characters")
			.tag("of", what)
			.serviceLevelObjectives(SIZES)
			.register(registry);
	}

	/** Counts a read of a session or of its events. */
	void session(long characters, int events) {
		this.sessions.record(characters);
		this.events.increment(events);
	}

	/** Counts a page of a list of sessions. */
	public void list(long characters) {
		this.lists.record(characters);
	}

}
