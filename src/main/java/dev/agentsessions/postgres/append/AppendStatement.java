package dev.agentsessions.postgres.append;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.NewEvent;

/**
 * Appends one event to one session in one statement: checks precondition and lease, moves
 * the session on, stores the event and applies its changes to the session's own state.
 * The row of the session serialises its writers; whoever waits for it checks against the
 * row as the writer before left it.
 *
 * <p>
 * It stores nothing if the session is missing, the precondition does not hold, the lease
 * is gone, somebody has an exclusive one, or the event id is there already.
 */
@Component
class AppendStatement {

	static final String SQL = """
			with locked as materialized (
			  select * from sessions
			  where session_key = ?
			    and (expire_time is null or expire_time > statement_timestamp())
			    and revision = coalesce(?, revision)
			    and details_revision = coalesce(?, details_revision)
			    and last_update_time = coalesce(?, last_update_time)
			    and case when ?::bigint is null
			      then lease_exclusive is not true or lease_end <= statement_timestamp()
			      else lease = ? and lease_end > statement_timestamp() end
			  for update),
			stored as (
			  insert into events (session_key, seq, commit_time, id, invocation_id, author, time, kind, size, body)
			  select session_key, revision + 1,
			    greatest(statement_timestamp(),
			      ((last_update_time at time zone 'UTC') + interval '1 microsecond') at time zone 'UTC'),
			    ?, ?, ?, ?, ?, ?, ?::json
			  from locked
			  on conflict (session_key, id) do nothing
			  returning session_key, seq, commit_time),
			moved as (
			  insert into sessions
			    (session_key, name_key, app_key, user_key, app_name, user_id, id, create_time, revision, last_update_time)
			  select session_key, name_key, app_key, user_key, app_name, user_id, id, create_time, seq, commit_time
			  from stored join locked using (session_key)
			  on conflict (session_key) do update
			  set revision = excluded.revision, last_update_time = excluded.last_update_time),
			changed as (
			  insert into state (scope_key, key, value)
			  select ?, key, value::json from stored, unnest(?::text[], ?::text[]) as change (key, value)
			  order by key collate "C"
			  on conflict (scope_key, key) do update set value = excluded.value)
			select session_key, seq, commit_time, details_revision from stored join locked using (session_key)
			""";

	private final JdbcTemplate jdbc;

	private final DistributedAppendStatement routed;

	AppendStatement(JdbcTemplate jdbc, DistributedAppendStatement routed) {
		this.jdbc = jdbc;
		this.routed = routed;
	}

	/** Whether it is one statement, which needs no transaction around it. */
	boolean isSingle() {
		return !this.routed.isUsed();
	}

	/**
	 * Appends, but for the changes of shared state; empty if nothing was stored. Keys
	 * that are removed are only locked and emptied: what a statement that waited for its
	 * session deletes, it would look for in the past.
	 */
	Optional<AppendResult> execute(QueuedAppend append) {
		if (this.routed.isUsed()) {
			return this.routed.execute(List.of(append), append.ownChanges()).stream().findFirst();
		}
		return this.jdbc.query(SQL, (statement) -> bind(new StatementParameters(statement), append),
				(rows) -> rows.next() ? Optional.of(stored(rows, append.event())) : Optional.empty());
	}

	private static void bind(StatementParameters parameters, QueuedAppend append) throws SQLException {
		Precondition precondition = append.precondition();
		parameters.add(append.sessionKey())
			.add(precondition.revision())
			.add(precondition.detailsRevision())
			.add(precondition.lastUpdateTime())
			.add(precondition.lease())
			.add(precondition.lease());
		List<StateRow> own = append.ownChanges();
		parameters.add(append.event())
			.add(append.sessionKey())
			.addTexts(own, StateRow::key)
			.addTexts(own, StateRow::textOrNull);
	}

	/** The answer to an event that was stored, of a row that tells so. */
	static AppendResult stored(ResultSet row, NewEvent event) throws SQLException {
		SessionVersion version = new SessionVersion(row.getLong("seq"), row.getObject("session_key", UUID.class),
				row.getInt("details_revision"));
		return AppendResult.stored(event, version, Columns.time(row, "commit_time"));
	}

}
