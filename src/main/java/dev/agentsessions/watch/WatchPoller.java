package dev.agentsessions.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.agentsessions.session.SessionException;

/**
 * Compares the watches with the stored sessions at intervals, as long as there are
 * watches, with one query for all. A connection that listens to notifications would not
 * work with a pool that assigns connections per transaction.
 */
final class WatchPoller extends Thread {

	private static final Logger logger = LoggerFactory.getLogger(WatchPoller.class);

	/** Shows an event about half a second after another replica has stored it. */
	private static final Duration INTERVAL = Duration.ofMillis(450);

	/**
	 * More than the number of watches, unless an operator has set a very large maximum.
	 */
	private static final int SESSIONS_PER_QUERY = 10_000;

	private final WatchRegistry registry;

	private final WatchStore store;

	private final Duration heartbeat;

	private boolean failing;

	WatchPoller(WatchRegistry registry, WatchStore store, Duration heartbeat) {
		super("watch-poll");
		this.registry = registry;
		this.store = store;
		this.heartbeat = heartbeat;
		setDaemon(true);
	}

	@Override
	public void run() {
		while (this.registry.continuePolling() && !isInterrupted()) {
			long start = System.nanoTime();
			try {
				poll(this.registry.all());
			}
			catch (RuntimeException | Error ex) {
				logger.error("The poll of the watches failed; the next one follows", ex);
			}
			sleepUntil(start + INTERVAL.toNanos());
		}
	}

	/**
	 * Compares only watches that were open before the query: later ones may know newer
	 * revisions than it finds.
	 */
	private void poll(List<Watch> all) {
		Instant now = Instant.now();
		all.forEach((watch) -> watch.checkCredentials(now));
		all.forEach((watch) -> watch.heartbeat(this.heartbeat));
		compare(all);
	}

	private void compare(List<Watch> all) {
		try {
			Map<UUID, LiveSession> live = live(all.stream().map(Watch::birth).distinct().toList());
			all.stream()
				.filter((watch) -> watch.refresh(live.get(watch.birth())))
				.map(Watch::key)
				.distinct()
				.forEach(this.registry::changed);
			this.failing = false;
		}
		catch (SessionException.Unavailable ex) {
			if (!this.failing) {
				logger.warn("Watches show only what this replica does, because the database does not respond");
			}
			this.failing = true;
		}
	}

	private Map<UUID, LiveSession> live(List<UUID> births) {
		Map<UUID, LiveSession> live = new HashMap<>();
		for (int start = 0; start < births.size(); start += SESSIONS_PER_QUERY) {
			live.putAll(this.store.live(births.subList(start, Math.min(births.size(), start + SESSIONS_PER_QUERY))));
		}
		return live;
	}

	private void sleepUntil(long nanoTime) {
		try {
			TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
		}
		catch (InterruptedException ex) {
			interrupt();
		}
	}

}
