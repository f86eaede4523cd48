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
 * Looks now and then what has become of the sessions that are watched, as long as there
 * are any: with one query for all. A connection that listens to notifications would not
 * pass a pool that hands out connections by transaction.
 */
final class WatchPoller extends Thread {

	private static final Logger logger = LoggerFactory.getLogger(WatchPoller.class);

	/** So that an append is shown half a second after it was stored elsewhere. */
	private static final Duration INTERVAL = Duration.ofMillis(450);

	/** More than there are watches, unless somebody has set very many. */
	private static final int SESSIONS_OF_QUERY = 10_000;

	private final WatchRegistry watches;

	private final WatchStore store;

	private final Duration heartbeat;

	private boolean failing;

	WatchPoller(WatchRegistry watches, WatchStore store, Duration heartbeat) {
		super("watch-poll");
		this.watches = watches;
		this.store = store;
		this.heartbeat = heartbeat;
		setDaemon(true);
	}

	@Override
	public void run() {
		while (this.watches.isPolled() && !isInterrupted()) {
			long start = System.nanoTime();
			try {
				poll(this.watches.all());
			}
			catch (RuntimeException | Error ex) {
				logger.error("Watches could not be looked after", ex);
			}
			sleepUntil(start + INTERVAL.toNanos());
		}
	}

	/** Whoever is not among these watches may know more than the query finds. */
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
				.filter((watch) -> watch.isBehind(live.get(watch.birth())))
				.map(Watch::key)
				.distinct()
				.forEach(this.watches::changed);
			this.failing = false;
		}
		catch (SessionException.Unavailable ex) {
			if (!this.failing) {
				logger.warn("Watches show only what this replica does, because the database does not answer");
			}
			this.failing = true;
		}
	}

	private Map<UUID, LiveSession> live(List<UUID> births) {
		Map<UUID, LiveSession> live = new HashMap<>();
		for (int start = 0; start < births.size(); start += SESSIONS_OF_QUERY) {
			live.putAll(this.store.live(births.subList(start, Math.min(births.size(), start + SESSIONS_OF_QUERY))));
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
