package dev.agentsessions.watch;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of watches.
 *
 * @param max the maximum number of watches in each replica; fewer than connections, as
 * each watch has a connection of its own; if it is not set, as many as a sixth of the
 * heap is enough for, at most 6144
 * @param heartbeat the interval of messages to a client while nothing happens
 */
@ConfigurationProperties("agent-sessions.watch")
record WatchProperties(@Nullable Integer max, @DefaultValue("15s") Duration heartbeat) {

	/** Measured: 35,077 bytes, most of it for the open connection. */
	private static final int BYTES_PER_WATCH = 36 * 1024;

	private static final int HEAP_DIVISOR = 6;

	/**
	 * Three quarters of the connections that Tomcat accepts by default, so that other
	 * requests always get a connection.
	 */
	private static final int MAX_DEFAULT_WATCHES = 6144;

	WatchProperties {
		if (max != null && max < 0) {
			throw new IllegalArgumentException("agent-sessions.watch.max must not be negative");
		}
		if (heartbeat.toMillis() < 1) {
			throw new IllegalArgumentException("agent-sessions.watch.heartbeat must be at least 1ms");
		}
	}

	/** Returns the maximum number of watches. */
	int maxWatches() {
		return (this.max != null) ? this.max : (int) Math.min(MAX_DEFAULT_WATCHES,
				Runtime.getRuntime().maxMemory() / HEAP_DIVISOR / BYTES_PER_WATCH);
	}

}
