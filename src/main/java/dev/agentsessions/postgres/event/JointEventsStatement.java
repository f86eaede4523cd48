package dev.agentsessions.postgres.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.CountingJdbcTemplate;
import dev.agentsessions.postgres.OnOneMachine;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.NewEvent;

/** Stores a group in one statement ({@link AppendSql}). */
@Component
@OnOneMachine
class JointEventsStatement implements EventsStatement {

	private final JdbcTemplate jdbc;

	JointEventsStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@Override
	public boolean needsTransaction() {
		return false;
	}

	@Override
	public void execute(List<QueuedAppend> group, AppendResult[] stored) {
		// Its rows are small, and they come after the commit
		CountingJdbcTemplate.uncounted(() -> {
			this.jdbc.query((connection) -> AppendSql.prepare(connection, group), (row) -> {
				int index = row.getInt("number");
				stored[index] = result(row, group.get(index).event());
			});
			return stored;
		});
	}

	private static AppendResult result(ResultSet row, NewEvent event) throws SQLException {
		SessionVersion version = new SessionVersion(row.getLong("seq"), row.getObject("session_key", UUID.class),
				Columns.time(row, "commit_time"), row.getInt("details_revision"));
		return AppendResult.stored(event, version);
	}

}
