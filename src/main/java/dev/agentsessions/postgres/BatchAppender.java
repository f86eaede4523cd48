package dev.agentsessions.postgres;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.AppendOutcome.Stored;
import dev.agentsessions.session.AppendRequest;
import dev.agentsessions.session.AppendOutcome;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.state.StateDelta;

/**
 * Appends many events to one session, all or none. Mostly all of them are new and the
 * precondition holds, so that is tried first, in one statement; only a batch that stored
 * nothing costs a look at the reason.
 */
@Component
class BatchAppender {

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final EventRepository events;

	private final GroupAppendStatement statement;

	private final AppendDiagnosis diagnosis;

	private final StateLimit stateLimit;

	BatchAppender(Transactions transactions, SessionRepository sessions, EventRepository events,
			GroupAppendStatement statement, AppendDiagnosis diagnosis, StateLimit stateLimit) {
		this.transactions = transactions;
		this.sessions = sessions;
		this.events = events;
		this.statement = statement;
		this.diagnosis = diagnosis;
		this.stateLimit = stateLimit;
	}

	AppendOutcome append(SessionKey key, List<NewEvent> batch, Precondition precondition) {
		StateDelta delta = batch.stream().map(NewEvent::delta).reduce(StateDelta.EMPTY, StateDelta::then);
		Set<UUID> due = this.stateLimit.count(StateChanges.all(key, delta));
		return storeAll(key, batch, precondition, due).orElseGet(() -> this.transactions.write(ScopeKey.of(key), () -> {
			AppendOutcome outcome = appendUnknown(key, batch, precondition);
			if (outcome instanceof AppendOutcome.BatchStored stored && !stored.replayed()) {
				this.stateLimit.check(due, key);
			}
			return outcome;
		}));
	}

	/** All events have the same precondition, so none is stored without the others. */
	private Optional<AppendOutcome> storeAll(SessionKey key, List<NewEvent> batch, Precondition precondition,
			Set<UUID> due) {
		List<GroupedAppend> appends = appends(key, batch, precondition);
		try {
			List<Optional<Stored>> stored = this.transactions.inTurn(ScopeKey.of(key),
					() -> due.isEmpty() ? this.statement.executeAlone(appends)
							: this.transactions.once(() -> executeAndCheck(appends, due, key)));
			return stored.contains(Optional.<Stored>empty()) ? Optional.empty()
					: Optional.of(new AppendOutcome.BatchStored(events(stored), false,
							stored.get(stored.size() - 1).orElseThrow().version()));
		}
		catch (DuplicateKeyException ex) {
			return Optional.empty();
		}
	}

	private List<Optional<Stored>> executeAndCheck(List<GroupedAppend> appends, Set<UUID> due, SessionKey key) {
		List<Optional<Stored>> stored = this.statement.execute(appends);
		if (!stored.contains(Optional.<Stored>empty())) {
			this.stateLimit.check(due, key);
		}
		return stored;
	}

	/** The row of the session is locked first, so what is read then stays true. */
	private AppendOutcome appendUnknown(SessionKey key, List<NewEvent> batch, Precondition precondition) {
		UUID sessionKey = ScopeKey.of(key);
		Optional<SessionEntity> session = this.sessions.findForUpdate(sessionKey);
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
			return this.diagnosis.stale(session.get(), precondition);
		}
		store(key, unknown).forEach((event) -> known.put(event.id(), event));
		List<Event> stored = batch.stream().flatMap((event) -> Stream.ofNullable(known.get(event.id()))).toList();
		long last = stored.stream().mapToLong(Event::seq).max().orElseThrow();
		return new AppendOutcome.BatchStored(stored, unknown.isEmpty(), session.get().version().at(last));
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
		return events.isEmpty() ? List.of() : events(this.statement.execute(appends(key, events, Precondition.NONE)));
	}

	private static List<GroupedAppend> appends(SessionKey key, List<NewEvent> events, Precondition precondition) {
		return events.stream().map((event) -> new GroupedAppend(key, new AppendRequest(event, precondition))).toList();
	}

	/** Only a session that has just expired can be the reason why one was not stored. */
	private static List<Event> events(List<Optional<Stored>> stored) {
		return stored.stream().map((event) -> event.orElseThrow(SessionException.NotFound::new).event()).toList();
	}

}
