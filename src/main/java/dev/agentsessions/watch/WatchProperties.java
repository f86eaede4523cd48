package dev.agentsessions.watch;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How sessions are watched.
 *
 * @param max how many watches there may be at once in each replica; fewer than
 * connections, as each has one of its own; as many as a sixth of the heap is enough for,
 * at most 6144, if it is not set
 * @param heartbeat how often a client hears something while nothing happens
 */
@ConfigurationProperties("agent-sessions.watch")
record WatchProperties(@Nullable Integer max, @DefaultValue("15s") Duration heartbeat) {

	/** Measured: 35,077, most of it what any open connection has. */
	private static final int BYTES_OF_WATCH = 36 * 1024;

	private static final int SHARE_OF_HEAP = 6;

	/**
	 * Three quarters of the connections that Tomcat takes at most if nothing else is set:
	 * there is always one for another request.
	 */
	private static final int MOST = 6144;

	WatchProperties {
		if (max != null && max < 0) {
			throw new IllegalArgumentException("agent-sessions.watch.max must not be negative");
		}
		if (heartbeat.toMillis() < 1) {
			throw new IllegalArgumentException("agent-sessions.watch.heartbeat must be at least 1ms");
		}
	}

	/** How many watches there may be at once. */
	int most() {
		return (this.max != null) ? this.max
				: (int) Math.min(MOST, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / BYTES_OF_WATCH);
	}

}
