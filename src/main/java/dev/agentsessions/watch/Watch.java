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
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionVersion;

/**
 * One client that looks at one session. Belongs to the session that was there when it was
 * opened, and to none that takes its place.
 */
public final class Watch {

	private static final Duration DIFFERENCE_OF_CLOCKS = Duration.ofSeconds(1);

	private final WatchRegistry watches;

	private final SessionKey key;

	private final SessionVersion version;

	private final Predicate<Instant> credentials;

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPENED);

	private volatile @Nullable WatchListener target;

	/** The newest event that was shown. */
	private volatile long seq;

	private volatile @Nullable Instant expireTime;

	/** In nanoseconds, as {@link System#nanoTime} counts. */
	private volatile long shownAt = System.nanoTime();

	/**
	 * Opens a watch, which shows nothing yet.
	 * @param seq shows the events behind this one
	 * @param credentials whether the caller may still watch at a time
	 */
	Watch(WatchRegistry watches, SessionKey key, LiveSession session, long seq, Predicate<Instant> credentials) {
		this.watches = watches;
		this.key = key;
		this.version = session.version();
		this.expireTime = session.expireTime();
		this.seq = seq;
		this.credentials = credentials;
	}

	/** The session when the watch was opened. */
	public SessionVersion version() {
		return this.version;
	}

	/** The seq of the event behind which the next one to show is. */
	public long after() {
		return this.seq;
	}

	/**
	 * Begins to show events. Ends at once if there are too many watches by now.
	 * @param target who gets them, from now on and not before this method is called
	 */
	public void start(WatchListener target) {
		this.target = target;
		this.phase.set(Phase.STARTED);
		if (!this.watches.add(this)) {
			this.phase.set(Phase.CLOSED);
			target.end(WatchEndReason.INTERRUPTED);
		}
	}

	/** The target takes events again. */
	public void resume() {
		this.watches.changed(this.key);
	}

	/** The target is gone. */
	public void close() {
		if (this.phase.getAndSet(Phase.CLOSED) == Phase.STARTED) {
			this.watches.remove(this);
		}
	}

	SessionKey key() {
		return this.key;
	}

	UUID birth() {
		return this.version.birth();
	}

	WatchPoint place() {
		return new WatchPoint(this.version.birth(), this.seq);
	}

	boolean isReady() {
		return target().isReady();
	}

	/**
	 * Shows events that follow its place, if there are any, as many as the client takes.
	 * @return whether it took any
	 */
	boolean show(List<Event> events) {
		int shown = events.isEmpty() ? 0 : target().show(events);
		if (shown > 0) {
			this.seq = events.get(shown - 1).seq();
			this.shownAt = System.nanoTime();
		}
		return shown > 0;
	}

	/** Shows the client that somebody is there if it has heard nothing for so long. */
	void heartbeat(Duration interval) {
		if (System.nanoTime() - this.shownAt >= interval.toNanos()) {
			this.shownAt = System.nanoTime();
			target().heartbeat();
		}
	}

	/**
	 * Compares with what is stored.
	 * @param live the session as it is; {@code null} if it is gone
	 * @return whether there is something to show
	 */
	boolean isBehind(@Nullable LiveSession live) {
		if (live == null) {
			endWithSession();
			return false;
		}
		this.expireTime = live.expireTime();
		return this.seq < live.version().revision() && isReady();
	}

	/** Ends if the caller could not open it any more. */
	void checkCredentials(Instant now) {
		if (!this.credentials.test(now)) {
			end(WatchEndReason.CREDENTIALS_EXPIRED);
		}
	}

	/**
	 * Its session is gone. Why, is guessed by the clock of this replica: one that was
	 * deleted in its last second is told as expired.
	 */
	void endWithSession() {
		Instant end = this.expireTime;
		boolean expired = end != null && Instant.now().plus(DIFFERENCE_OF_CLOCKS).isAfter(end);
		end(expired ? WatchEndReason.SESSION_EXPIRED : WatchEndReason.SESSION_DELETED);
	}

	void end(WatchEndReason reason) {
		if (this.phase.getAndSet(Phase.CLOSED) == Phase.STARTED) {
			this.watches.remove(this);
			target().end(reason);
		}
	}

	private WatchListener target() {
		return Objects.requireNonNull(this.target);
	}

	/**
	 * Where a watch is.
	 *
	 * @param birth in which session
	 * @param seq behind which event
	 */
	record WatchPoint(UUID birth, long seq) {

	}

	private enum Phase {

		OPENED, STARTED, CLOSED

	}

}
