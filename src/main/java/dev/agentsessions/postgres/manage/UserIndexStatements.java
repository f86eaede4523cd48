package dev.agentsessions.postgres.manage;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.session.StateOwner;

/**
 * Goes through users and sessions in an order that no change of a session alters, and
 * that a copy in another database has, too.
 */
@Component
public class UserIndexStatements {

	/** So many ids are read at once. */
	static final int IDS_OF_PIECE = 1000;

	private static final UUID FIRST_KEY = new UUID(0, 0);

	/** By their keys, as the index {@code sessions_by_update} has them. */
	private static final String NEXT_USER = """
			select user_id from sessions where app_key = ? and user_key > ? and\s""" + Sql.LIVE + """
			 order by user_key, last_update_time, id limit 1
			""";

	/**
	 * The sessions of the user are found first, lest those of the whole app are read in
	 * the order of ids.
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

	/** The user who follows another one, among those who have a session. */
	public Optional<String> nextUser(String appName, @Nullable String behind) {
		UUID userKey = (behind != null) ? ScopeKey.of(new StateOwner(appName, behind)) : FIRST_KEY;
		return this.jdbc.query(NEXT_USER, (row, number) -> row.getString("user_id"), ScopeKey.ofApp(appName), userKey)
			.stream()
			.findFirst();
	}

	/** Ids of sessions of a user behind another one. */
	public List<String> sessionIds(StateOwner user, String behind) {
		return this.jdbc.query(IDS, (row, number) -> row.getString("id"), ScopeKey.ofApp(user.appName()),
				ScopeKey.of(user), behind, IDS_OF_PIECE);
	}

}
