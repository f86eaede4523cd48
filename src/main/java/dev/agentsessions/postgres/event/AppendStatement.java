package dev.agentsessions.postgres.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.PendingCallStatements;
import dev.agentsessions.postgres.session.SequencedEvent;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.AppendResult;

/**
 * Stores groups of appends: the events ({@link EventsStatement}), and in further
 * statements of the same transaction what only some events need. An append that it does
 * not store has no result.
 */
@Component
public class AppendStatement {

	private final EventsStatement events;

	private final StateWriter stateWriter;

	private final PendingCallStatements pending;

	private final Transactions transactions;

	AppendStatement(EventsStatement events, StateWriter stateWriter, PendingCallStatements pending,
			Transactions transactions) {
		this.events = events;
		this.stateWriter = stateWriter;
		this.pending = pending;
		this.transactions = transactions;
	}

	/**
	 * Appends in a transaction of its own.
	 * @return for each append of the group the stored event, empty if it was not stored
	 * @throws RowLockedException if another transaction keeps one of the rows locked for
	 * longer than {@link Transactions#LOCK_TIMEOUT}
	 */
	List<Optional<AppendResult>> executeAlone(List<QueuedAppend> group) {
		boolean needsTransaction = this.events.needsTransaction()
				|| group.stream().anyMatch(QueuedAppend::needsTransaction);
		return needsTransaction ? this.transactions.once(() -> execute(group))
				: this.transactions.statement(() -> execute(group));
	}

	/**
	 * Appends within a transaction of the caller.
	 * @return for each append of the group the stored event, empty if it was not stored
	 */
	List<Optional<AppendResult>> execute(List<QueuedAppend> group) {
		AppendResult[] stored = new AppendResult[group.size()];
		this.events.execute(group, stored);
		this.stateWriter.remove(lastChanges(
				IntStream.range(0, stored.length).filter((index) -> stored[index] != null).mapToObj(group::get)));
		withMarksBySession(group, stored)
			.forEach((sessionKey, events) -> this.pending.add(sessionKey, appOf(sessionKey, group), events));
		return Stream.of(stored).map(Optional::ofNullable).toList();
	}

	private static StateOwner appOf(UUID sessionKey, List<QueuedAppend> group) {
		return group.stream()
			.filter((append) -> append.sessionKey().equals(sessionKey))
			.findFirst()
			.map((append) -> append.session().app())
			.orElseThrow();
	}

	/**
	 * Returns the last change of each key: a later append may set a key that an earlier
	 * one removes.
	 */
	public static List<StateRow> lastChanges(Stream<QueuedAppend> appends) {
		Map<List<Object>, StateRow> last = new LinkedHashMap<>();
		appends.flatMap((append) -> append.changes().stream())
			.forEach((row) -> last.put(List.of(row.scopeKey(), row.key()), row));
		return List.copyOf(last.values());
	}

	/**
	 * Returns the stored events that have marks, by session.
	 */
	private static Map<UUID, List<SequencedEvent>> withMarksBySession(List<QueuedAppend> group, AppendResult[] stored) {
		Map<UUID, List<SequencedEvent>> events = new LinkedHashMap<>();
		for (int index = 0; index < stored.length; index++) {
			QueuedAppend append = group.get(index);
			AppendResult result = stored[index];
			if (result != null && !append.event().marks().isEmpty()) {
				events.computeIfAbsent(append.sessionKey(), (key) -> new ArrayList<>()).add(append.sequenced(result));
			}
		}
		return events;
	}

}
