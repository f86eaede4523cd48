package dev.agentsessions.postgres.append;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.event.EventRepository;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.event.AppendResult;

/** Finds out why an append stored nothing, within a transaction of the caller. */
@Component
public class AppendDiagnosis {

	private final SessionRepository sessions;

	private final EventRepository events;

	private final AppendMetrics metrics;

	AppendDiagnosis(SessionRepository sessions, EventRepository events, AppendMetrics metrics) {
		this.sessions = sessions;
		this.events = events;
		this.metrics = metrics;
	}

	/**
	 * Refuses the append, if there is a reason.
	 * @return the answer if the event was stored before; empty if there is no reason any
	 * more, so that a new attempt may succeed
	 */
	Optional<AppendResult> diagnose(QueuedAppend append) {
		SessionEntity session = this.sessions.find(append.sessionKey()).orElseThrow(SessionException.NotFound::new);
		Optional<AppendResult> replay = this.events.find(append.sessionKey(), append.event().id())
			.map((stored) -> AppendResult.replayed(append.event(), stored.toEvent(), session.version()));
		replay.ifPresentOrElse((stored) -> this.metrics.replayed(1), () -> checkAppend(session, append.precondition()));
		return replay;
	}

	/** Refuses an append that is not meant for a session as it is. */
	public void checkAppend(SessionEntity session, Precondition precondition) {
		if (precondition.lease() == null && session.lease().exclusive()) {
			session.lease().checkOpen(this.sessions.now());
		}
		check(session, precondition);
	}

	/**
	 * Refuses what is not meant for a session as it is. It is no append, so the lease of
	 * somebody else does not matter.
	 */
	public void check(SessionEntity session, Precondition precondition) {
		if (precondition.lease() != null) {
			session.lease().check(precondition.lease(), this.sessions.now());
		}
		check(session.getId(), session.version(), session.lastUpdateTime(), precondition);
	}

	/** The same for a version of a session, whatever lease there is. */
	public void check(UUID sessionKey, SessionVersion version, Instant lastUpdateTime, Precondition precondition) {
		if (!precondition.holds(version, lastUpdateTime)) {
			throw new SessionException.Stale(precondition, version, lastUpdateTime,
					seen(sessionKey, version, precondition));
		}
	}

	private long seen(UUID sessionKey, SessionVersion version, Precondition precondition) {
		if (!precondition.isMeant(version)) {
			return 0;
		}
		if (precondition.revision() != null) {
			return Math.max(0, Math.min(precondition.revision(), version.revision()));
		}
		if (precondition.lastUpdateTime() == null) {
			return version.revision();
		}
		return this.events.revisionAt(sessionKey, precondition.lastUpdateTime()).orElse(0L);
	}

}
