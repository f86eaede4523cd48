package dev.agentsessions.postgres.event;

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
import dev.agentsessions.postgres.session.EventEntity;
import dev.agentsessions.postgres.session.EventRepository;
import dev.agentsessions.postgres.session.PreconditionChecker;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * Appends many events to one session, all or none. In most batches all events are new and
 * the precondition holds, so one statement tries to store all of them. Only if that
 * stores nothing, stored events are looked up and the reason is found.
 */
@Component
public class BatchAppender {

	/**
	 * A retry has a body of about the size of the stored events. Other ids could name
	 * events of any size.
	 */
	private static final long MAX_COMPARED_BYTES = 2 * HeapShare.LARGE_BODIES.bytes();

	private final SessionKeys keys;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final EventRepository events;

	private final AppendStatement statement;

	private final PreconditionChecker preconditions;

	private final StateSizeLimit stateLimit;

	private final AppendMetrics metrics;

	private final ResponseHeap memory;

	BatchAppender(SessionKeys keys, Transactions transactions, SessionRepository sessions, EventRepository events,
			AppendStatement statement, PreconditionChecker preconditions, StateSizeLimit stateLimit,
			AppendMetrics metrics, ResponseHeap memory) {
		this.keys = keys;
		this.transactions = transactions;
		this.sessions = sessions;
		this.events = events;
		this.statement = statement;
		this.preconditions = preconditions;
		this.stateLimit = stateLimit;
		this.metrics = metrics;
		this.memory = memory;
	}

	/**
	 * Appends the events of a batch that are not stored yet.
	 * @return for each event of the batch the stored event, and whether it is a replay
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	public BatchAppendResult append(SessionName session, List<NewEvent> batch, Precondition precondition) {
		return this.keys.with(session, (key) -> append(session, key, batch, precondition));
	}

	private BatchAppendResult append(SessionName session, UUID key, List<NewEvent> batch, Precondition precondition) {
		StateDelta delta = batch.stream().map(NewEvent::delta).reduce(StateDelta.EMPTY, StateDelta::then);
		Map<UUID, StateScope> due = this.stateLimit.count(StateRow.of(session, key, delta));
		List<AppendResult> results = storeAll(session, key, batch, precondition, due).orElseGet(() -> {
			takeMemory(key, batch);
			Map<String, Event> known = this.transactions.read(() -> known(key, batch));
			checkAreSame(batch, known);
			return this.transactions.write(key, () -> storeUnknown(key, batch, known, precondition, due));
		});
		long replays = results.stream().filter(AppendResult::replayed).count();
		this.metrics.replayed(replays);
		this.metrics.added(results.size() - replays);
		return BatchAppendResult.of(results);
	}

	/** Stores all events or none, because all have the same precondition. */
	private Optional<List<AppendResult>> storeAll(SessionName session, UUID key, List<NewEvent> batch,
			Precondition precondition, Map<UUID, StateScope> due) {
		if (!precondition.appliesTo(key)) {
			return Optional.empty();
		}
		List<QueuedAppend> appends = appends(session, key, batch, precondition);
		try {
			List<Optional<AppendResult>> stored = this.transactions.serialize(key,
					() -> due.isEmpty() ? this.statement.executeAlone(appends)
							: this.transactions.once(() -> executeAndCheck(appends, due)));
			return allStored(stored) ? Optional.of(stored.stream().flatMap(Optional::stream).toList())
					: Optional.empty();
		}
		catch (DuplicateKeyException ex) {
			return Optional.empty();
		}
	}

	private List<Optional<AppendResult>> executeAndCheck(List<QueuedAppend> appends, Map<UUID, StateScope> due) {
		List<Optional<AppendResult>> stored = this.statement.execute(appends);
		if (allStored(stored)) {
			this.stateLimit.check(due);
		}
		return stored;
	}

	private static boolean allStored(List<Optional<AppendResult>> stored) {
		return stored.stream().allMatch(Optional::isPresent);
	}

	/**
	 * Takes memory for the stored events with the ids of a batch.
	 * @throws SessionException.TooLarge if they do not fit into the memory; the same
	 * events as sent would
	 */
	private void takeMemory(UUID key, List<NewEvent> batch) {
		long bytes = this.transactions.statement(() -> this.events.size(key, ids(batch)));
		if (bytes > MAX_COMPARED_BYTES) {
			throw new SessionException.TooLarge("The stored events with the ids of the batch together",
					MAX_COMPARED_BYTES, "bytes", "a fifth of the heap");
		}
		this.memory.take(bytes);
	}

	private static String[] ids(List<NewEvent> events) {
		return events.stream().map(NewEvent::id).toArray(String[]::new);
	}

	/** Returns the stored events with the ids of a batch. */
	private Map<String, Event> known(UUID key, List<NewEvent> batch) {
		this.sessions.find(key).orElseThrow(SessionException.NotFound::new);
		return stored(key, batch);
	}

	private Map<String, Event> stored(UUID key, List<NewEvent> batch) {
		return this.events.findAll(key, ids(batch))
			.stream()
			.map(EventEntity::toEvent)
			.collect(Collectors.toMap(Event::id, Function.identity()));
	}

	private static void checkAreSame(List<NewEvent> batch, Map<String, Event> stored) {
		for (NewEvent event : batch) {
			Event known = stored.get(event.id());
			if (known != null) {
				event.checkIsSameAs(known);
			}
		}
	}

	/**
	 * Stores the events that are not stored yet. Locks the row of the session first, so
	 * that what is read after that stays true.
	 * @param known stored events that were compared before the lock, because this takes
	 * time; an event never changes
	 */
	private List<AppendResult> storeUnknown(UUID key, List<NewEvent> batch, Map<String, Event> known,
			Precondition precondition, Map<UUID, StateScope> due) {
		SessionEntity session = this.sessions.findForUpdate(key).orElseThrow(SessionException.NotFound::new);
		List<NewEvent> rest = batch.stream().filter((event) -> !known.containsKey(event.id())).toList();
		Map<String, Event> storedMeanwhile = rest.isEmpty() ? Map.of() : stored(key, rest);
		checkAreSame(rest, storedMeanwhile);
		Map<String, AppendResult> results = new HashMap<>();
		Stream.of(known, storedMeanwhile)
			.forEach((events) -> events
				.forEach((id, event) -> results.put(id, AppendResult.replayed(event, session.version()))));
		List<NewEvent> unknown = rest.stream().filter((event) -> !results.containsKey(event.id())).toList();
		if (!unknown.isEmpty()) {
			this.preconditions.checkAppend(session, precondition);
			store(session, unknown, precondition.withoutVersion(), results);
			this.stateLimit.check(due);
		}
		return batch.stream().flatMap((event) -> Stream.ofNullable(results.get(event.id()))).toList();
	}

	/**
	 * Stores events while the row of the session is locked. An event is not stored only
	 * if its precondition or the session has expired since the check.
	 */
	private void store(SessionEntity session, List<NewEvent> events, Precondition precondition,
			Map<String, AppendResult> results) {
		List<Optional<AppendResult>> stored = this.statement
			.execute(appends(session.name(), session.sessionKey(), events, precondition));
		if (!allStored(stored)) {
			this.preconditions.check(session, precondition);
			throw new SessionException.NotFound();
		}
		for (int index = 0; index < events.size(); index++) {
			results.put(events.get(index).id(), stored.get(index).orElseThrow());
		}
	}

	private static List<QueuedAppend> appends(SessionName session, UUID key, List<NewEvent> events,
			Precondition precondition) {
		return events.stream()
			.map((event) -> new QueuedAppend(session, key, new AppendRequest(event, precondition)))
			.toList();
	}

}
