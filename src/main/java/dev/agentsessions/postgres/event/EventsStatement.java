package dev.agentsessions.postgres.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.CountingJdbcTemplate;
import dev.agentsessions.postgres.Placement.OnOneMachine;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.NewEvent;

/**
 * Stores the events of a group of appends, with their preconditions checked, and sets
 * their keys of state. Keys that are removed are only set to null.
 */
public interface EventsStatement {

	/** Whether it needs a transaction for each group. */
	boolean needsTransaction();

	/**
	 * Executes it.
	 * @param stored gets the result of each append that is stored, at the index of the
	 * append
	 * @throws org.springframework.dao.DuplicateKeyException if an event id is stored
	 * already; then nothing of the group is stored
	 */
	void execute(List<QueuedAppend> group, AppendResult[] stored);

	/** Stores a group in one statement ({@link AppendSql}). */
	@Component
	@OnOneMachine
	class JointEvents implements EventsStatement {

		private final JdbcTemplate jdbc;

		JointEvents(JdbcTemplate jdbc) {
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

}
