package dev.agentsessions.postgres.citus;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.event.AppendSql;
import dev.agentsessions.postgres.event.AppendStatement;
import dev.agentsessions.postgres.event.EventWriter;
import dev.agentsessions.postgres.event.EventsStatement;
import dev.agentsessions.postgres.event.QueuedAppend;
import dev.agentsessions.postgres.session.SequencedEvent;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.event.AppendResult;

/**
 * Appends events to one session. It does in several statements, within a transaction of
 * the caller, what one statement does on one machine ({@link AppendSql}). Each statement
 * names the key of the session, so the machine that has the session executes it. Citus
 * would split a statement that inserts in one of its parts, and send the result of each
 * part from machine to machine.
 */
@Component
@ConditionalOnBooleanProperty("agent-sessions.distributed")
class DistributedAppend implements EventsStatement {

	private static final String MOVE = """
			update sessions set revision = revision + :count,
			  last_update_time = (greatest(statement_timestamp() at time zone 'UTC',
			    (last_update_time at time zone 'UTC') + :step * interval '1 microsecond')
			    + (:count - 1) * interval '1 microsecond') at time zone 'UTC'
			where session_key = :session_key
			  and %s
			  and %s
			returning session_key, revision, last_update_time, details_revision
			""".formatted(Sql.LIVE, AppendSql.preconditionHolds("", ":"));

	private final NamedParameterJdbcTemplate jdbc;

	private final EventWriter eventWriter;

	private final StateWriter stateWriter;

	DistributedAppend(NamedParameterJdbcTemplate jdbc, EventWriter eventWriter, StateWriter stateWriter) {
		this.jdbc = jdbc;
		this.eventWriter = eventWriter;
		this.stateWriter = stateWriter;
	}

	@Override
	public boolean needsTransaction() {
		return true;
	}

	/**
	 * Appends all events, or none.
	 * @param appends to one session, all with the same precondition
	 */
	@Override
	public void execute(List<QueuedAppend> appends, AppendResult[] stored) {
		List<AppendResult> results = move(appends);
		if (!results.isEmpty()) {
			List<SequencedEvent> events = new ArrayList<>();
			for (AppendResult result : results) {
				events.add(appends.get(events.size()).sequenced(result));
			}
			this.eventWriter.insert(appends.get(0).sessionKey(), events);
			this.stateWriter.upsert(AppendStatement.lastChanges(appends.stream()));
			results.toArray(stored);
		}
	}

	private List<AppendResult> move(List<QueuedAppend> appends) {
		QueuedAppend first = appends.get(0);
		return this.jdbc.query(MOVE,
				AppendSql.preconditionParameters(first.precondition())
					.addValue("count", appends.size())
					.addValue("step", ThreadLocalRandom.current().nextInt(1, AppendSql.MAX_STEP_MICROS + 1))
					.addValue("session_key", first.sessionKey()),
				(ResultSet rows) -> rows.next() ? stored(rows, appends) : List.of());
	}

	/**
	 * Reads the results. The commit time of each event is one microsecond after that of
	 * the event before.
	 */
	private static List<AppendResult> stored(ResultSet row, List<QueuedAppend> appends) throws SQLException {
		long newest = row.getLong("revision");
		Instant commitTime = Columns.time(row, "last_update_time");
		List<AppendResult> stored = new ArrayList<>();
		for (QueuedAppend append : appends) {
			long later = appends.size() - 1L - stored.size();
			SessionVersion version = new SessionVersion(newest - later, row.getObject("session_key", UUID.class),
					commitTime.minus(later, ChronoUnit.MICROS), row.getInt("details_revision"));
			stored.add(AppendResult.stored(append.event(), version));
		}
		return stored;
	}

}
