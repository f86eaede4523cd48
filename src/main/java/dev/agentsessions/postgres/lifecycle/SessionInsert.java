package dev.agentsessions.postgres.lifecycle;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.DetailsColumns;
import dev.agentsessions.postgres.session.SessionNames;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.SessionException;

/**
 * Inserts rows of sessions, within a transaction of the caller. The unique constraint on
 * the name decides which of concurrent creations succeeds. An expired session with the
 * same name is removed.
 */
@Component
public class SessionInsert {

	private static final String INSERT = """
			insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision,
			  create_time, details_revision, last_update_time, forked_from, creation, %s)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::json, ?, %s) on conflict do nothing
			""".formatted(DetailsColumns.NAMES, DetailsColumns.PLACEHOLDERS);

	private final JdbcTemplate jdbc;

	private final SessionRemover remover;

	private final SessionNames names;

	SessionInsert(JdbcTemplate jdbc, SessionRemover remover, SessionNames names) {
		this.jdbc = jdbc;
		this.remover = remover;
		this.names = names;
	}

	/**
	 * Inserts the row of a session.
	 * @throws SessionException.AlreadyExists if there is a session with its name
	 */
	public void insert(SessionRow row) {
		if (tryToInsert(row)) {
			return;
		}
		this.remover.removeExpired(row.nameKey());
		if (!tryToInsert(row)) {
			throw new SessionException.AlreadyExists(row.name().sessionId());
		}
	}

	private boolean tryToInsert(SessionRow row) {
		return this.names.claim(row.nameKey(), row.sessionKey())
				&& this.jdbc.update(INSERT, (statement) -> row.addTo(new StatementParameters(statement))) > 0;
	}

}
