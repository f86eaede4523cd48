package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.AppendRequest;
import dev.agentsessions.session.AppendOutcome;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionKey;

/** Finds out why an append stored nothing, within a transaction of the caller. */
@Component
class AppendDiagnosis {

	private final SessionRepository sessions;

	private final EventRepository events;

	AppendDiagnosis(SessionRepository sessions, EventRepository events) {
		this.sessions = sessions;
		this.events = events;
	}

	/** The reason; empty if there is none any more, so that a new attempt may succeed. */
	Optional<AppendOutcome> find(SessionKey key, AppendRequest append) {
		Optional<SessionEntity> session = this.sessions.find(ScopeKey.of(key));
		if (session.isEmpty()) {
			return Optional.of(new AppendOutcome.NotFound());
		}
		Optional<Event> sameId = this.events.find(ScopeKey.of(key), append.event().id()).map(EventEntity::toEvent);
		if (sameId.isPresent()) {
			return sameId.map((event) -> append.event().isSameAs(event)
					? new AppendOutcome.Replayed(event, session.get().version().at(event.seq()))
					: new AppendOutcome.EventIdConflict(event.id()));
		}
		return session.filter((stored) -> !stored.meets(append.precondition()))
			.map((stored) -> stale(stored, append.precondition()));
	}

	/** What a caller whose precondition does not hold has to know. */
	AppendOutcome.Stale stale(SessionEntity session, Precondition precondition) {
		return new AppendOutcome.Stale(session.version(), session.lastUpdateTime(), seen(session, precondition));
	}

	private long seen(SessionEntity session, Precondition precondition) {
		if (!precondition.isMeant(session.version())) {
			return 0;
		}
		if (precondition.revision() != null) {
			return Math.max(0, Math.min(precondition.revision(), session.version().revision()));
		}
		if (precondition.lastUpdateTime() == null) {
			return session.version().revision();
		}
		UUID sessionKey = ScopeKey.of(session.key());
		return this.events.revisionAt(sessionKey, precondition.lastUpdateTime()).orElse(0L);
	}

}
