package dev.agentsessions.postgres.append;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.CountingJdbcTemplate;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.event.SequencedEvent;
import dev.agentsessions.postgres.lanes.RowLockedException;
import dev.agentsessions.postgres.pending.PendingCallStatements;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.NewEvent;

/**
 * Stores groups of appends: the events in one statement ({@link AppendSql}), and in
 * further ones of the same transaction what only some events need. An append that it does
 * not store has no result.
 */
@Component
public class AppendStatement {

	private final JdbcTemplate jdbc;

	private final StateWriter stateWriter;

	private final PendingCallStatements pending;

	private final Transactions transactions;

	private final DistributedAppendStatement distributed;

	AppendStatement(JdbcTemplate jdbc, StateWriter stateWriter, PendingCallStatements pending,
			Transactions transactions, DistributedAppendStatement distributed) {
		this.jdbc = jdbc;
		this.stateWriter = stateWriter;
		this.pending = pending;
		this.transactions = transactions;
		this.distributed = distributed;
	}

	/**
	 * Appends in a transaction of its own.
	 * @return for each append of the group the stored event, empty if it was not stored
	 * @throws RowLockedException if another transaction keeps one of the rows locked for
	 * longer than {@link Transactions#LOCK_TIMEOUT}
	 */
	List<Optional<AppendResult>> executeAlone(List<QueuedAppend> group) {
		boolean needsTransaction = this.distributed.isUsed() || group.stream().anyMatch(QueuedAppend::needsTransaction);
		return needsTransaction ? this.transactions.once(() -> execute(group))
				: this.transactions.statement(() -> execute(group));
	}

	/**
	 * Appends within a transaction of the caller.
	 * @return for each append of the group the stored event, empty if it was not stored
	 */
	List<Optional<AppendResult>> execute(List<QueuedAppend> group) {
		AppendResult[] stored = new AppendResult[group.size()];
		if (this.distributed.isUsed()) {
			this.distributed.execute(group, lastChanges(group.stream())).toArray(stored);
		}
		else {
			// Its rows are small, and they come after the commit
			CountingJdbcTemplate.uncounted(() -> {
				this.jdbc.query((connection) -> AppendSql.prepare(connection, group), (row) -> {
					int index = row.getInt("number");
					stored[index] = result(row, group.get(index).event());
				});
				return stored;
			});
		}
		this.stateWriter.remove(lastChanges(
				IntStream.range(0, stored.length).filter((index) -> stored[index] != null).mapToObj(group::get)));
		withMarksBySession(group, stored)
			.forEach((sessionKey, events) -> this.pending.add(sessionKey, appOf(sessionKey, group), events));
		return Stream.of(stored).map(Optional::ofNullable).toList();
	}

	private static AppendResult result(ResultSet row, NewEvent event) throws SQLException {
		SessionVersion version = new SessionVersion(row.getLong("seq"), row.getObject("session_key", UUID.class),
				row.getInt("details_revision"));
		return AppendResult.stored(event, version, Columns.time(row, "commit_time"));
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
	private static List<StateRow> lastChanges(Stream<QueuedAppend> appends) {
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
