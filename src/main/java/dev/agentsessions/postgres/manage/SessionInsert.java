package dev.agentsessions.postgres.manage;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DistributionProperties;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.removal.SessionRemover;
import dev.agentsessions.postgres.session.DetailsColumns;
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
			values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::json, ?, %s)
			""".formatted(DetailsColumns.NAMES, DetailsColumns.PLACEHOLDERS);

	private static final String INSERT_IF_NAME_IS_FREE = INSERT + "on conflict (name_key) do nothing";

	/** Where the tables are distributed, a separate table makes names unique. */
	private static final String CLAIM_NAME = """
			insert into session_names (name_key, session_key) values (?, ?) on conflict (name_key) do nothing
			""";

	private final JdbcTemplate jdbc;

	private final SessionRemover remover;

	private final boolean distributed;

	SessionInsert(JdbcTemplate jdbc, SessionRemover remover, DistributionProperties properties) {
		this.jdbc = jdbc;
		this.remover = remover;
		this.distributed = properties.distributed();
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
			throw new SessionException.AlreadyExists(row.names().sessionId());
		}
	}

	private boolean tryToInsert(SessionRow row) {
		boolean free = !this.distributed || claimName(row.nameKey(), row.sessionKey());
		return free && this.jdbc.update(this.distributed ? INSERT : INSERT_IF_NAME_IS_FREE,
				(statement) -> row.addTo(new StatementParameters(statement))) > 0;
	}

	private boolean claimName(UUID nameKey, UUID sessionKey) {
		return this.jdbc.update(CLAIM_NAME, nameKey, sessionKey) > 0;
	}

}
