package dev.agentsessions.watch;

import java.time.Duration;

import jakarta.validation.constraints.PositiveOrZero;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import org.springframework.validation.annotation.Validated;

import dev.agentsessions.session.heap.HeapShare;

/**
 * Settings of watches.
 *
 * @param max the maximum number of watches in each replica; fewer than connections, as
 * each watch has a connection of its own; if it is not set, 4.7 for each megabyte of
 * heap, at most 6144
 * @param heartbeat the interval of messages to a client while nothing happens
 */
@Validated
@ConfigurationProperties("agent-sessions.watch")
record WatchProperties(@PositiveOrZero @Nullable Integer max,
		@DefaultValue("15s") @DurationMin(millis = 1) Duration heartbeat) {

	/**
	 * Without the connection. Measured with it: 35,077 bytes when its buffers had 32 KB.
	 */
	private static final int BYTES_PER_WATCH = 4 * 1024;

	/**
	 * Three quarters of the connections that Tomcat accepts by default, so that other
	 * requests always get a connection.
	 */
	private static final int MAX_DEFAULT_WATCHES = 6144;

	/** Returns the maximum number of watches. */
	int maxWatches() {
		return (this.max != null) ? this.max
				: (int) Math.min(MAX_DEFAULT_WATCHES, HeapShare.WATCHES.bytes() / BYTES_PER_WATCH);
	}

}
