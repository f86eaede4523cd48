package dev.agentsessions.postgres.append;

import java.util.Optional;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.event.EventRepository;
import dev.agentsessions.postgres.session.PreconditionChecker;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.AppendResult;

/** Finds out why an append stored nothing, within a transaction of the caller. */
@Component
public class AppendDiagnosis {

	private final SessionRepository sessions;

	private final EventRepository events;

	private final PreconditionChecker preconditions;

	private final AppendMetrics metrics;

	AppendDiagnosis(SessionRepository sessions, EventRepository events, PreconditionChecker preconditions,
			AppendMetrics metrics) {
		this.sessions = sessions;
		this.events = events;
		this.preconditions = preconditions;
		this.metrics = metrics;
	}

	/**
	 * Looks up the session and the event again, and throws the reason for which the
	 * append is refused.
	 * @return the stored event if an earlier request stored it; empty if there is no
	 * reason any more, so that a new attempt may succeed
	 */
	Optional<AppendResult> diagnose(QueuedAppend append) {
		SessionEntity session = this.sessions.find(append.sessionKey()).orElseThrow(SessionException.NotFound::new);
		Optional<AppendResult> replay = this.events.find(append.sessionKey(), append.event().id())
			.map((stored) -> AppendResult.replayed(append.event(), stored.toEvent(), session.version()));
		replay.ifPresentOrElse((stored) -> this.metrics.replayed(1),
				() -> this.preconditions.checkAppend(session, append.precondition()));
		return replay;
	}

}
