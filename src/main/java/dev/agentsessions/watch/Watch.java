package dev.agentsessions.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.watch.Watch.WatchListener.WatchEndReason;
import dev.agentsessions.watch.WatchService.Store.LiveSession;

/**
 * One client that watches one session. It belongs to the session that existed when it was
 * opened, and to no later session with the same name.
 */
public final class Watch {

	private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(1);

	private final WatchRegistry registry;

	private final SessionName name;

	private final SessionVersion version;

	private final Predicate<Instant> credentials;

	private final Secrets secrets;

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPENED);

	private volatile @Nullable WatchListener listener;

	/** The point right after the newest event that was shown. */
	private volatile EventPoint point;

	private volatile @Nullable Instant expireTime;

	/** When the client last got an event or a heartbeat, by {@link System#nanoTime}. */
	private volatile long lastSentNanos = System.nanoTime();

	/**
	 * Opens a watch, which shows nothing yet.
	 * @param point the watch shows the events after this point
	 * @param credentials returns whether the caller may still watch at a time
	 * @param secrets how the caller sees secrets
	 */
	Watch(WatchRegistry registry, SessionName name, LiveSession session, EventPoint point,
			Predicate<Instant> credentials, Secrets secrets) {
		this.registry = registry;
		this.name = name;
		this.version = session.version();
		this.expireTime = session.expireTime();
		this.point = point;
		this.credentials = credentials;
		this.secrets = secrets;
	}

	/** Returns the version of the session when the watch was opened. */
	public SessionVersion version() {
		return this.version;
	}

	/**
	 * Starts to show events. Ends at once if there are too many watches by now.
	 * @param listener receives the events, not before this method is called
	 */
	public void start(WatchListener listener) {
		this.listener = listener;
		this.phase.set(Phase.STARTED);
		if (!this.registry.add(this)) {
			this.phase.set(Phase.CLOSED);
			listener.end(WatchEndReason.INTERRUPTED);
		}
	}

	/** Continues after the listener has accepted no more events for a time. */
	public void resume() {
		this.registry.changed(this.name);
	}

	/** Closes the watch, because the client has disconnected. */
	public void close() {
		if (this.phase.getAndSet(Phase.CLOSED) == Phase.STARTED) {
			this.registry.remove(this);
		}
	}

	SessionName name() {
		return this.name;
	}

	UUID sessionKey() {
		return this.version.sessionKey();
	}

	/**
	 * Returns the point right after the newest event that was shown, from which a client
	 * goes on.
	 */
	public EventPoint point() {
		return this.point;
	}

	boolean isReady() {
		return listener().isReady();
	}

	/**
	 * Shows events that follow the newest shown one, as many as the client accepts.
	 * @return whether it accepted any
	 */
	boolean show(List<Event> events) {
		int shown = events.isEmpty() ? 0 : listener().show(events.stream().map(this.secrets::of).toList());
		if (shown > 0) {
			this.point = EventPoint.after(sessionKey(), events.get(shown - 1));
			this.lastSentNanos = System.nanoTime();
		}
		return shown > 0;
	}

	/** Sends a heartbeat if the client has got nothing during the interval. */
	void heartbeat(Duration interval) {
		if (System.nanoTime() - this.lastSentNanos >= interval.toNanos()) {
			this.lastSentNanos = System.nanoTime();
			listener().heartbeat();
		}
	}

	/**
	 * Updates the watch from the stored session; ends it if the session is gone.
	 * @param live the stored session, {@code null} if it is gone
	 * @return whether there may be events to show, or the history may have changed, and
	 * the client accepts events
	 */
	boolean refresh(@Nullable LiveSession live) {
		if (live == null) {
			endWithSession();
			return false;
		}
		this.expireTime = live.expireTime();
		return !this.point.isNewestOf(live.version()) && isReady();
	}

	/** Ends the watch if the caller's credentials are no longer valid. */
	void checkCredentials(Instant now) {
		if (!this.credentials.test(now)) {
			end(WatchEndReason.CREDENTIALS_EXPIRED);
		}
	}

	/**
	 * Ends the watch, because its session is gone. The clock of this replica decides
	 * about the reason: a session that was deleted in the last second before its expiry
	 * is reported as expired.
	 */
	void endWithSession() {
		Instant end = this.expireTime;
		boolean expired = end != null && Instant.now().plus(MAX_CLOCK_SKEW).isAfter(end);
		end(expired ? WatchEndReason.SESSION_EXPIRED : WatchEndReason.SESSION_DELETED);
	}

	void end(WatchEndReason reason) {
		if (this.phase.getAndSet(Phase.CLOSED) == Phase.STARTED) {
			this.registry.remove(this);
			listener().end(reason);
		}
	}

	private WatchListener listener() {
		return Objects.requireNonNull(this.listener);
	}

	private enum Phase {

		OPENED, STARTED, CLOSED

	}

	/**
	 * The client of a watch. No method waits for the client, however slowly it reads. Any
	 * thread may call.
	 */
	public interface WatchListener {

		/**
		 * Returns whether the client accepts events now. If not, the listener calls
		 * {@link Watch#resume} when it does again.
		 */
		boolean isReady();

		/**
		 * Sends events in their order, until the client accepts no more. The watch shows
		 * the rest again later.
		 * @param events one or more
		 * @return the number of events that the client accepted
		 */
		int show(List<Event> events);

		/**
		 * Tells the client that the service is still there, and disconnects a client that
		 * has not read for a long time.
		 */
		void heartbeat();

		/**
		 * Tells the client why no event follows, and disconnects as soon as that is sent.
		 */
		void end(WatchEndReason reason);

		/** Why a watch ends. */
		enum WatchEndReason {

			/** The session was deleted. Another session may have the same name now. */
			SESSION_DELETED,

			/** The session has expired. */
			SESSION_EXPIRED,

			/**
			 * The session exists, but not the newest event that was shown: the database
			 * was restored, or a failover has lost it.
			 */
			HISTORY_CHANGED,

			/** The credentials of the caller are no longer valid. */
			CREDENTIALS_EXPIRED,

			/**
			 * This replica shuts down or is overloaded. The client may continue at
			 * another replica.
			 */
			INTERRUPTED

		}

	}

}
