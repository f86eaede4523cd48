package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.Optional;

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
			return sameId.map((event) -> append.event().isSameAs(event) ? new AppendOutcome.Replayed(event)
					: new AppendOutcome.EventIdConflict(event.id()));
		}
		return session.filter((stored) -> !stored.meets(append.precondition()))
			.map((stored) -> stale(stored, append.precondition()));
	}

	/** What a caller whose precondition does not hold has to know. */
	AppendOutcome.Stale stale(SessionEntity session, Precondition precondition) {
		return new AppendOutcome.Stale(session.revision(), session.lastUpdateTime(), seen(session, precondition));
	}

	private long seen(SessionEntity session, Precondition precondition) {
		if (precondition.revision() != null) {
			return Math.min(precondition.revision(), session.revision());
		}
		Instant lastUpdateTime = precondition.lastUpdateTime();
		return (lastUpdateTime != null) ? this.events.revisionAt(ScopeKey.of(session.key()), lastUpdateTime).orElse(0L)
				: session.revision();
	}

}
