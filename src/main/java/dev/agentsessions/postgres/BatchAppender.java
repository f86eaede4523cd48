package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.Append;
import dev.agentsessions.session.AppendOutcome;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionKey;

/**
 * Appends many events to one session, all or none, within a transaction of the caller.
 * The row of the session is locked first, so what is read then stays true.
 */
@Component
class BatchAppender {

	private final SessionRepository sessions;

	private final EventRepository events;

	private final BatchStatement statement;

	private final Refusals refusals;

	BatchAppender(SessionRepository sessions, EventRepository events, BatchStatement statement, Refusals refusals) {
		this.sessions = sessions;
		this.events = events;
		this.statement = statement;
		this.refusals = refusals;
	}

	AppendOutcome append(SessionKey key, List<NewEvent> batch, Precondition precondition) {
		UUID sessionKey = ScopeKey.of(key);
		Optional<SessionEntity> session = this.sessions.findForUpdate(sessionKey, Instant.now());
		if (session.isEmpty()) {
			return new AppendOutcome.NotFound();
		}
		Map<String, Event> known = known(sessionKey, batch);
		Optional<NewEvent> conflict = batch.stream().filter((event) -> conflicts(event, known)).findFirst();
		if (conflict.isPresent()) {
			return new AppendOutcome.EventIdConflict(conflict.get().id());
		}
		List<NewEvent> unknown = batch.stream().filter((event) -> !known.containsKey(event.id())).toList();
		if (!unknown.isEmpty() && !session.get().meets(precondition)) {
			return this.refusals.stale(session.get(), precondition);
		}
		store(key, unknown).forEach((event) -> known.put(event.id(), event));
		return new AppendOutcome.BatchStored(batch.stream().map((event) -> known.get(event.id())).toList(),
				unknown.isEmpty());
	}

	private Map<String, Event> known(UUID sessionKey, List<NewEvent> batch) {
		return this.events.findAll(sessionKey, batch.stream().map(NewEvent::id).toArray(String[]::new))
			.stream()
			.map(EventEntity::toEvent)
			.collect(Collectors.toMap(Event::id, Function.identity()));
	}

	private static boolean conflicts(NewEvent event, Map<String, Event> known) {
		Event sameId = known.get(event.id());
		return sameId != null && !event.isSameAs(sameId);
	}

	private List<Event> store(SessionKey key, List<NewEvent> events) {
		if (events.isEmpty()) {
			return List.of();
		}
		List<BatchedAppend> appends = events.stream()
			.map((event) -> new BatchedAppend(key, new Append(event, Precondition.NONE)))
			.toList();
		return this.statement.execute(appends).stream().map(Optional::orElseThrow).toList();
	}

}
