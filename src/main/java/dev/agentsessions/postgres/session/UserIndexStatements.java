package dev.agentsessions.postgres.session;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.session.StateOwner;

/**
 * Lists users and sessions in an order that no change of a session alters, and that is
 * the same in a copy in another database.
 */
@Component
public class UserIndexStatements {

	/** Maximum number of ids that one statement reads. */
	public static final int MAX_BATCH_IDS = 1000;

	private static final UUID FIRST_KEY = new UUID(0, 0);

	/** In the order of their keys, along the index {@code sessions_by_update}. */
	private static final String NEXT_USER = """
			select user_id from sessions where app_key = ? and user_key > ? and\s""" + Sql.LIVE + """
			 order by user_key, last_update_time, id limit 1
			""";

	/**
	 * Finds the sessions of the user first. Otherwise PostgreSQL might read the sessions
	 * of the whole app in the order of ids.
	 */
	private static final String IDS = """
			with own as materialized (
			  select id from sessions where app_key = ? and user_key = ? and\s""" + Sql.LIVE + """
			)
			select id from own where id > ? order by id limit ?
			""";

	private final JdbcTemplate jdbc;

	UserIndexStatements(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Returns the next user of an app with a session; {@code after} is {@code null} for
	 * the first one.
	 */
	public Optional<String> nextUser(String appName, @Nullable String after) {
		UUID userKey = (after != null) ? ScopeKey.of(new StateOwner(appName, after)) : FIRST_KEY;
		return DataAccessUtils.optionalResult(this.jdbc.query(NEXT_USER, (row, number) -> row.getString("user_id"),
				ScopeKey.ofApp(appName), userKey));
	}

	/**
	 * Returns the ids of sessions of a user after an id, as many as one statement reads.
	 */
	public List<String> sessionIds(StateOwner user, String after) {
		return this.jdbc.query(IDS, (row, number) -> row.getString("id"), ScopeKey.ofApp(user.appName()),
				ScopeKey.of(user), after, MAX_BATCH_IDS);
	}

}
