package dev.agentsessions.watch;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionListener;
import dev.agentsessions.session.memory.ResponseMemory;

/**
 * All watches of this replica. What it appends itself it shows at once; what others
 * append it finds by asking for the revisions of all watched sessions. Where nobody
 * watches there is no thread and no query.
 */
@Component
class WatchRegistry implements SessionListener, SmartLifecycle {

	/**
	 * They wait for the database only, never for a client. Each may hold a piece of
	 * events and a connection.
	 */
	private static final int READERS = 2;

	private final WatchStore store;

	private final ResponseMemory memory;

	private final WatchProperties properties;

	private final Semaphore free;

	private final ConcurrentMap<SessionKey, WatchedSession> sessions = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor readers = new ThreadPoolExecutor(READERS, READERS, 1, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), new CustomizableThreadFactory("watch-read-"));

	/** Guarded by this. */
	private @Nullable WatchPoller poll;

	private volatile boolean running;

	WatchRegistry(WatchStore store, ResponseMemory memory, WatchProperties properties, MeterRegistry registry) {
		this.store = store;
		this.memory = memory;
		this.properties = properties;
		this.free = new Semaphore(properties.most());
		this.readers.allowCoreThreadTimeOut(true);
		Gauge.builder("agentsessions.watches", this.free, (room) -> properties.most() - room.availablePermits())
			.description("Watches that are open")
			.register(registry);
	}

	/** Whether one more may be opened. */
	boolean hasRoom() {
		return this.running && this.free.availablePermits() > 0;
	}

	/**
	 * Takes a watch in.
	 * @return whether there was room for it
	 */
	boolean add(Watch watch) {
		if (!this.running || !this.free.tryAcquire()) {
			return false;
		}
		this.sessions.compute(watch.key(), (key, found) -> {
			WatchedSession session = (found != null) ? found
					: new WatchedSession(key, this.store, this.memory, this.readers);
			session.watches().add(watch);
			return session;
		});
		startPoll();
		changed(watch.key());
		return true;
	}

	void remove(Watch watch) {
		this.sessions.computeIfPresent(watch.key(), (key, session) -> {
			session.watches().remove(watch);
			return session.watches().isEmpty() ? null : session;
		});
		this.free.release();
	}

	/** An append that nobody watches costs no more than to see that. */
	@Override
	public void changed(SessionKey key) {
		if (!this.sessions.isEmpty()) {
			WatchedSession session = this.sessions.get(key);
			if (session != null) {
				session.look();
			}
		}
	}

	List<Watch> all() {
		return this.sessions.values().stream().flatMap((session) -> session.watches().stream()).toList();
	}

	private synchronized void startPoll() {
		if (this.poll == null) {
			WatchPoller started = new WatchPoller(this, this.store, this.properties.heartbeat());
			started.start();
			this.poll = started;
		}
	}

	/** Whether the poll goes on. If not, the next watch starts another one. */
	synchronized boolean isPolled() {
		if (this.sessions.isEmpty()) {
			this.poll = null;
		}
		return this.poll != null;
	}

	@Override
	public void start() {
		this.running = true;
	}

	/** Clients go on at another replica. */
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
	 * Stops after load balancers had time to see it, and before the web server waits for
	 * requests that are under way.
	 */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 512;
	}

}
