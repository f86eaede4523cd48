package dev.agentsessions.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.validation.constraints.PositiveOrZero;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionListener;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.watch.Watch.WatchListener.WatchEndReason;
import dev.agentsessions.watch.WatchService.Store.LiveSession;

/**
 * All watches of this replica. Events that this replica appends are shown at once. To
 * find events of other replicas, a poller reads the revisions of all watched sessions.
 * Without watches there is no thread and no query.
 */
@Component
class WatchRegistry implements SessionListener, SmartLifecycle {

	/**
	 * Readers wait for the database only, never for a client. Each may use memory for a
	 * chunk of events and a connection.
	 */
	private static final int READER_THREADS = 2;

	private final WatchService.Store store;

	private final ResponseHeap memory;

	private final WatchProperties properties;

	private final Semaphore permits;

	private final Counter refused;

	private final ConcurrentMap<SessionName, WatchedSession> sessions = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor readers = new ThreadPoolExecutor(READER_THREADS, READER_THREADS, 1,
			TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new CustomizableThreadFactory("watch-read-"));

	/** Guarded by this. */
	private @Nullable WatchPoller poller;

	private volatile boolean running;

	WatchRegistry(WatchService.Store store, ResponseHeap memory, WatchProperties properties, MeterRegistry registry) {
		this.store = store;
		this.memory = memory;
		this.properties = properties;
		this.permits = new Semaphore(properties.maxWatches());
		this.readers.allowCoreThreadTimeOut(true);
		Gauge
			.builder("agentsessions.watches", this.permits, (free) -> properties.maxWatches() - free.availablePermits())
			.description("Watches that are open")
			.register(registry);
		Gauge.builder("agentsessions.watches.limit", properties::maxWatches)
			.description("How many watches may be open")
			.register(registry);
		this.refused = Counter.builder("agentsessions.watches.refused")
			.description("Watches that were refused because too many are open")
			.register(registry);
	}

	/** Returns whether another watch may be opened. */
	boolean hasRoom() {
		return this.running && (this.permits.availablePermits() > 0 || refuse());
	}

	private boolean refuse() {
		this.refused.increment();
		return false;
	}

	/**
	 * Registers a watch.
	 * @return whether there was a permit for it
	 */
	boolean add(Watch watch) {
		if (!this.running || !this.permits.tryAcquire() && !refuse()) {
			return false;
		}
		this.sessions.compute(watch.name(), (name, found) -> {
			WatchedSession session = (found != null) ? found
					: new WatchedSession(name, this.store, this.memory, this.readers);
			session.watches().add(watch);
			return session;
		});
		startPoller();
		changed(watch.name());
		return true;
	}

	void remove(Watch watch) {
		this.sessions.computeIfPresent(watch.name(), (name, session) -> {
			session.watches().remove(watch);
			return session.watches().isEmpty() ? null : session;
		});
		this.permits.release();
	}

	/** Costs an append no more than a look-up if no client watches the session. */
	@Override
	public void changed(SessionName name) {
		if (!this.sessions.isEmpty()) {
			WatchedSession session = this.sessions.get(name);
			if (session != null) {
				session.requestRead();
			}
		}
	}

	List<Watch> all() {
		return this.sessions.values().stream().flatMap((session) -> session.watches().stream()).toList();
	}

	private synchronized void startPoller() {
		if (this.poller == null) {
			WatchPoller started = new WatchPoller(this, this.store, this.properties.heartbeat());
			started.start();
			this.poller = started;
		}
	}

	/** Ends the poller if there is no watch; the next watch starts a new one. */
	synchronized boolean continuePolling() {
		if (this.sessions.isEmpty()) {
			this.poller = null;
		}
		return this.poller != null;
	}

	@Override
	public void start() {
		this.running = true;
	}

	/** Clients continue at another replica. */
	@Override
	public void stop() {
		this.running = false;
		all().forEach((watch) -> watch.end(WatchEndReason.INTERRUPTED));
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Stops after load balancers had time to notice it, and before the web server waits
	 * for requests that are under way.
	 */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 512;
	}

	/**
	 * Compares the watches with the stored sessions at intervals, as long as there are
	 * watches, with one query for all. A connection that listens to notifications would
	 * not work with a pool that assigns connections per transaction.
	 */
	private static final class WatchPoller extends Thread {

		private static final Logger logger = LoggerFactory.getLogger(WatchPoller.class);

		/** Shows an event about half a second after another replica has stored it. */
		private static final Duration INTERVAL = Duration.ofMillis(450);

		private final WatchRegistry registry;

		private final WatchService.Store store;

		private final Duration heartbeat;

		private boolean failing;

		WatchPoller(WatchRegistry registry, WatchService.Store store, Duration heartbeat) {
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
		 * Compares only watches that were open before the query: later ones may know
		 * newer revisions than it finds.
		 */
		private void poll(List<Watch> all) {
			Instant now = Instant.now();
			all.forEach((watch) -> watch.checkCredentials(now));
			all.forEach((watch) -> watch.heartbeat(this.heartbeat));
			compare(all);
		}

		private void compare(List<Watch> all) {
			try {
				Map<UUID, Optional<LiveSession>> live = this.store
					.live(all.stream().collect(Collectors.toMap(Watch::sessionKey, Watch::name, (name, same) -> name)));
				all.stream().filter((watch) -> {
					Optional<LiveSession> session = live.get(watch.sessionKey());
					return session != null && watch.refresh(session.orElse(null));
				}).map(Watch::name).distinct().forEach(this.registry::changed);
				this.failing = false;
			}
			catch (SessionException.Unavailable ex) {
				if (!this.failing) {
					logger.warn("Watches show only what this replica does, because the database does not respond");
				}
				this.failing = true;
			}
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

	/**
	 * Settings of watches.
	 *
	 * @param max the maximum number of watches in each replica; fewer than connections,
	 * as each watch has a connection of its own; if it is not set, 4.7 for each megabyte
	 * of heap, at most 6144
	 * @param heartbeat the interval of messages to a client while nothing happens
	 */
	@Validated
	@ConfigurationProperties("agent-sessions.watch")
	record WatchProperties(@PositiveOrZero @Nullable Integer max,
			@DefaultValue("15s") @DurationMin(millis = 1) Duration heartbeat) {

		/**
		 * Without the connection. Measured with it: 35,077 bytes when its buffers had 32
		 * KB.
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

}
