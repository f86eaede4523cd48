package dev.agentsessions.postgres.usage;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.usage.UsagePosition;
import dev.agentsessions.session.usage.UsageQuery;

/**
 * Lists the sessions of an app or of a user, in an order that no change of a session
 * alters.
 */
@Component
class SpendingSessions {

	/** Maximum number of sessions that one statement reads. */
	static final int MAX_BATCH_SESSIONS = 1000;

	private static final UUID FIRST_KEY = new UUID(0, 0);

	private static final String COLUMNS = "select session_key, user_id, id, revision, last_update_time, "
			+ "coalesce((forked_from ->> 'seq')::bigint, 0) as copied from ";

	private static final String ONE = COLUMNS + "sessions where session_key = ? and " + Sql.LIVE;

	/** Along the index {@code sessions_by_id}. */
	private static final String OF_APP = COLUMNS + "sessions where app_key = ? and (id, session_key) >= (?, ?) and "
			+ Sql.LIVE + " order by id, session_key limit ?";

	/**
	 * Finds the sessions of the user first. Otherwise PostgreSQL might read the sessions
	 * of the whole app in the order of ids.
	 */
	private static final String OF_USER = "with own as materialized (select * from sessions where app_key = ? "
			+ "and user_key = ? and " + Sql.LIVE + ") " + COLUMNS
			+ "own where (id, session_key) >= (?, ?) order by id, session_key limit ?";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	SpendingSessions(JdbcTemplate jdbc, Transactions transactions) {
		this.jdbc = jdbc;
		this.transactions = transactions;
	}

	/** Returns the session with a key; none if there is none any more. */
	List<SpendingSession> one(UUID key) {
		return this.transactions.statement(() -> this.jdbc.query(ONE, (row, number) -> session(row), key));
	}

	/**
	 * Returns the sessions of the app or the user, beginning with that of a position.
	 */
	List<SpendingSession> next(UsageQuery query, @Nullable UsagePosition position) {
		String userId = query.userId();
		return this.transactions.statement(() -> this.jdbc.query((userId != null) ? OF_USER : OF_APP, (statement) -> {
			StatementParameters parameters = new StatementParameters(statement).add(ScopeKey.ofApp(query.appName()));
			if (userId != null) {
				parameters.add(ScopeKey.of(new StateOwner(query.appName(), userId)));
			}
			parameters.add((position != null) ? position.sessionId() : "")
				.add((position != null) ? position.birth() : FIRST_KEY)
				.add(Integer.valueOf(MAX_BATCH_SESSIONS));
		}, (row, number) -> session(row)));
	}

	private static SpendingSession session(ResultSet row) throws SQLException {
		return new SpendingSession(row.getObject("session_key", UUID.class), row.getString("user_id"),
				row.getString("id"), row.getLong("revision"), row.getLong("copied"),
				Columns.time(row, "last_update_time"));
	}

}
