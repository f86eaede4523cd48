package dev.agentsessions.postgres.session;

import java.time.Instant;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;

/**
 * Refuses a write whose precondition does not hold, within a transaction of the caller.
 */
@Component
public class PreconditionChecker {

	private final SessionRepository sessions;

	private final EventRepository events;

	PreconditionChecker(SessionRepository sessions, EventRepository events) {
		this.sessions = sessions;
		this.events = events;
	}

	/**
	 * Checks an append.
	 * @throws SessionException if another caller holds the lease that the append needs
	 * @throws SessionException.Stale if the session is not as the caller expects it
	 */
	public void checkAppend(SessionEntity session, Precondition precondition) {
		if (precondition.lease() == null && session.lease().exclusive()) {
			session.lease().checkOpen(this.sessions.now());
		}
		check(session, precondition);
	}

	/**
	 * Checks a write that is no append, so the lease of another caller does not matter.
	 * @throws SessionException.Stale if the session is not as the caller expects it
	 */
	public void check(SessionEntity session, Precondition precondition) {
		if (precondition.lease() != null) {
			session.lease().check(precondition.lease(), this.sessions.now());
		}
		check(session.sessionKey(), session.version(), precondition);
	}

	/** Checks a version of a session, without its lease. */
	public void check(UUID sessionKey, SessionVersion version, Precondition precondition) {
		if (!precondition.isSatisfiedBy(version)) {
			throw new SessionException.Stale(precondition, version, seen(sessionKey, version, precondition));
		}
	}

	private long seen(UUID sessionKey, SessionVersion version, Precondition precondition) {
		if (!precondition.appliesTo(version)) {
			return 0;
		}
		Long revision = precondition.revision();
		Instant time = precondition.lastUpdateTime();
		if (revision != null) {
			long seen = Math.max(0, Math.min(revision, version.revision()));
			// In another history, the event with this number is not what the caller has
			// seen
			return (time == null || seen == 0 || time.equals(this.events.commitTime(sessionKey, seen))) ? seen : 0;
		}
		return (time != null) ? this.events.revisionAt(sessionKey, time).orElse(0L) : version.revision();
	}

}
