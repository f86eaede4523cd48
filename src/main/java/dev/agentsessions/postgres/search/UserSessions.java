package dev.agentsessions.postgres.search;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.event.EventKind;

/** Reads which sessions a user has, and how far they are indexed. */
@Component
class UserSessions {

	/** Whether the label of a session keeps it out of every search. */
	static final String OPTED_OUT = "(coalesce(labels ->> 'memory', '') = 'off')";

	private static final String COLUMNS = "select user_key, session_key, app_name, id, revision, " + OPTED_OUT
			+ " as opted_out from sessions where ";

	private static final String OF_USER = COLUMNS + "app_key = ? and user_key = ? and " + Sql.LIVE
			+ " order by last_update_time desc, id desc";

	private static final String STATES = "select session_key, " + IndexState.COLUMNS
			+ " from said_sessions where user_key = ?";

	/** An event that is left over from before the bits were exact may only compact. */
	private static final String REWINDS = "kind & " + EventKind.CONTEXT_CHANGES + " <> 0 and kind & "
			+ EventKind.REWINDS + " <> 0";

	private static final String LAST_REWIND = "select coalesce(max(seq), 0) from events where session_key = ? and "
			+ REWINDS + " and seq <= ?";

	private static final String REWOUND = "select distinct behind.session_key from unnest(?::uuid[], ?::bigint[]) "
			+ "as behind (session_key, checked) join events using (session_key) where " + REWINDS
			+ " and seq > checked";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	UserSessions(JdbcTemplate jdbc, Transactions transactions) {
		this.jdbc = jdbc;
		this.transactions = transactions;
	}

	/** Returns the sessions of a user that have not expired, the newest first. */
	List<IndexedSession> of(UUID appKey, UUID userKey) {
		return withStates(userKey, sessions(OF_USER, appKey, userKey));
	}

	private List<IndexedSession> sessions(String sql, Object... parameters) {
		return this.transactions.statement(() -> this.jdbc.query(sql,
				(row, number) -> new IndexedSession(row.getObject("user_key", UUID.class),
						row.getObject("session_key", UUID.class), row.getString("app_name"), row.getString("id"),
						row.getLong("revision"), row.getBoolean("opted_out"), IndexState.NOTHING),
				parameters));
	}

	/**
	 * Returns sessions of a user with the states that they have now, in the same order.
	 */
	List<IndexedSession> withStates(UUID userKey, List<IndexedSession> sessions) {
		if (sessions.isEmpty()) {
			return sessions;
		}
		Map<UUID, IndexState> states = new HashMap<>();
		this.transactions.statement(() -> {
			this.jdbc.query(STATES, (row) -> {
				states.put(row.getObject("session_key", UUID.class), IndexState.of(row));
			}, userKey);
			return true;
		});
		return sessions.stream()
			.map((session) -> session.with(states.getOrDefault(session.key(), IndexState.NOTHING)))
			.toList();
	}

	/**
	 * Returns the seq of the last rewind of a session up to a revision; 0 without one.
	 */
	long lastRewind(UUID sessionKey, long revision) {
		Long last = this.transactions
			.statement(() -> this.jdbc.queryForObject(LAST_REWIND, Long.class, sessionKey, revision));
		return (last != null) ? last : 0;
	}

	/** Returns those of some sessions that have rewinds not taken into account yet. */
	Set<UUID> rewound(List<IndexedSession> sessions) {
		Set<UUID> rewound = new HashSet<>();
		if (!sessions.isEmpty()) {
			this.transactions.statement(() -> {
				this.jdbc.query(REWOUND,
						(statement) -> new StatementParameters(statement)
							.add("uuid", sessions.stream().map(IndexedSession::key).toArray())
							.add("int8", sessions.stream().map((session) -> session.index().checkedSeq()).toArray()),
						(row) -> {
							rewound.add(row.getObject("session_key", UUID.class));
						});
				return true;
			});
		}
		return rewound;
	}

}
