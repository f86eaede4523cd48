package dev.agentsessions.postgres.append;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.event.EventEntity;
import dev.agentsessions.postgres.event.EventRepository;
import dev.agentsessions.postgres.session.PreconditionChecker;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.BatchAppendResult;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * Appends many events to one session, all or none. Mostly all of them are new and the
 * precondition holds, so that is tried first, in one statement; only a batch that stored
 * nothing costs a look at the reason.
 */
@Component
public class BatchAppender {

	private final SessionKeys keys;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final EventRepository events;

	private final AppendStatement statement;

	private final PreconditionChecker preconditions;

	private final StateSizeLimit stateLimit;

	private final AppendMetrics metrics;

	BatchAppender(SessionKeys keys, Transactions transactions, SessionRepository sessions, EventRepository events,
			AppendStatement statement, PreconditionChecker preconditions, StateSizeLimit stateLimit,
			AppendMetrics metrics) {
		this.keys = keys;
		this.transactions = transactions;
		this.sessions = sessions;
		this.events = events;
		this.statement = statement;
		this.preconditions = preconditions;
		this.stateLimit = stateLimit;
		this.metrics = metrics;
	}

	public BatchAppendResult append(SessionKey session, List<NewEvent> batch, Precondition precondition) {
		return this.keys.with(session, (key) -> append(session, key, batch, precondition));
	}

	private BatchAppendResult append(SessionKey session, UUID key, List<NewEvent> batch, Precondition precondition) {
		StateDelta delta = batch.stream().map(NewEvent::delta).reduce(StateDelta.EMPTY, StateDelta::then);
		Map<UUID, StateScope> due = this.stateLimit.count(StateRow.of(session, key, delta));
		List<AppendResult> results = storeAll(session, key, batch, precondition, due)
			.orElseGet(() -> this.transactions.write(key, () -> storeUnknown(key, batch, precondition, due)));
		long replays = results.stream().filter(AppendResult::replayed).count();
		this.metrics.replayed(replays);
		this.metrics.added(results.size() - replays);
		return BatchAppendResult.of(results);
	}

	/** All events have the same precondition, so none is stored without the others. */
	private Optional<List<AppendResult>> storeAll(SessionKey session, UUID key, List<NewEvent> batch,
			Precondition precondition, Map<UUID, StateScope> due) {
		if (!precondition.isMeant(key)) {
			return Optional.empty();
		}
		List<QueuedAppend> appends = appends(session, key, batch, precondition);
		try {
			List<Optional<AppendResult>> stored = this.transactions.inTurn(key,
					() -> due.isEmpty() ? this.statement.executeAlone(appends)
							: this.transactions.once(() -> executeAndCheck(appends, due)));
			return isWhole(stored) ? Optional.of(stored.stream().flatMap(Optional::stream).toList()) : Optional.empty();
		}
		catch (DuplicateKeyException ex) {
			return Optional.empty();
		}
	}

	private List<Optional<AppendResult>> executeAndCheck(List<QueuedAppend> appends, Map<UUID, StateScope> due) {
		List<Optional<AppendResult>> stored = this.statement.execute(appends);
		if (isWhole(stored)) {
			this.stateLimit.check(due);
		}
		return stored;
	}

	private static boolean isWhole(List<Optional<AppendResult>> stored) {
		return stored.stream().allMatch(Optional::isPresent);
	}

	/** The row of the session is locked first, so what is read then stays true. */
	private List<AppendResult> storeUnknown(UUID key, List<NewEvent> batch, Precondition precondition,
			Map<UUID, StateScope> due) {
		SessionEntity session = this.sessions.findForUpdate(key).orElseThrow(SessionException.NotFound::new);
		Map<String, AppendResult> results = replays(session, batch);
		List<NewEvent> unknown = batch.stream().filter((event) -> !results.containsKey(event.id())).toList();
		if (!unknown.isEmpty()) {
			this.preconditions.checkAppend(session, precondition);
			store(session, unknown, Precondition.NONE.under(precondition.lease()), results);
			this.stateLimit.check(due);
		}
		return batch.stream().flatMap((event) -> Stream.ofNullable(results.get(event.id()))).toList();
	}

	private Map<String, AppendResult> replays(SessionEntity session, List<NewEvent> batch) {
		String[] ids = batch.stream().map(NewEvent::id).toArray(String[]::new);
		Map<String, Event> known = this.events.findAll(session.getId(), ids)
			.stream()
			.map(EventEntity::toEvent)
			.collect(Collectors.toMap(Event::id, Function.identity()));
		Map<String, AppendResult> replays = new HashMap<>();
		for (NewEvent event : batch) {
			Event stored = known.get(event.id());
			if (stored != null) {
				replays.put(event.id(), AppendResult.replayed(event, stored, session.version()));
			}
		}
		return replays;
	}

	/**
	 * Only a lease that has just ended, or a session that has just expired, can be the
	 * reason why one is not stored.
	 */
	private void store(SessionEntity session, List<NewEvent> events, Precondition lease,
			Map<String, AppendResult> results) {
		List<Optional<AppendResult>> stored = this.statement
			.execute(appends(session.key(), session.getId(), events, lease));
		if (!isWhole(stored)) {
			this.preconditions.check(session, lease);
			throw new SessionException.NotFound();
		}
		for (int place = 0; place < events.size(); place++) {
			results.put(events.get(place).id(), stored.get(place).orElseThrow());
		}
	}

	private static List<QueuedAppend> appends(SessionKey session, UUID key, List<NewEvent> events,
			Precondition precondition) {
		return events.stream()
			.map((event) -> new QueuedAppend(session, key, new AppendRequest(event, precondition)))
			.toList();
	}

}
