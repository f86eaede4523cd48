package dev.agentsessions.watch;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import dev.agentsessions.session.memory.HeapShare;

/**
 * Settings of watches.
 *
 * @param max the maximum number of watches in each replica; fewer than connections, as
 * each watch has a connection of its own; if it is not set, 4.7 for each megabyte of
 * heap, at most 6144
 * @param heartbeat the interval of messages to a client while nothing happens
 */
@ConfigurationProperties("agent-sessions.watch")
record WatchProperties(@Nullable Integer max, @DefaultValue("15s") Duration heartbeat) {

	/**
	 * Without the connection. Measured with it: 35,077 bytes when its buffers had 32 KB.
	 */
	private static final int BYTES_PER_WATCH = 4 * 1024;

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
		return (this.max != null) ? this.max
				: (int) Math.min(MAX_DEFAULT_WATCHES, HeapShare.WATCHES.bytes() / BYTES_PER_WATCH);
	}

}
