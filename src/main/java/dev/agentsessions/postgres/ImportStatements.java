package dev.agentsessions.postgres;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.ForkedFrom;
import dev.agentsessions.session.ImportConflictException;
import dev.agentsessions.session.ImportLease;
import dev.agentsessions.session.ImportedSession;
import dev.agentsessions.session.SessionKey;

/**
 * What an import consists of. The row of a session that is stored in several transactions
 * has the end of one that is being removed until the last one, so nobody finds it. Its
 * create time lies in the future, which no other session's does: until then the purge
 * leaves it alone, and it tells one import of the session from another one. A removal
 * takes it away, and then the import cannot go on.
 */
@Component
class ImportStatements {

	private static final String NAMES = "session_key, app_key, user_key, app_name, user_id, id, ";

	private static final String INSERT = "insert into sessions (" + NAMES + """
			revision, noted_seq, create_time, details_revision, last_update_time, expire_time, display_name, labels,
			initial_state_kept, forked_from)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::json, ?, ?::json) on conflict do nothing
			""";

	private static final String INSERT_HIDDEN = "insert into sessions (" + NAMES
			+ """
					revision, create_time, last_update_time, expire_time)
					values (?, ?, ?, ?, ?, ?, 0, statement_timestamp() + interval '5 minutes', statement_timestamp(), '-infinity')
					on conflict do nothing returning create_time
					""";

	private static final String EXTEND = """
			update sessions set create_time = statement_timestamp() + interval '5 minutes', revision = greatest(revision, ?),
			  noted_seq = greatest(revision, ?)
			where session_key = ? and expire_time = '-infinity' and create_time = ?
			returning create_time
			""";

	private static final String GIVE_UP = "update sessions set create_time = '-infinity' "
			+ "where session_key = ? and expire_time = '-infinity' and create_time = ?";

	private static final String SHOW = """
			update sessions set revision = ?, noted_seq = ?, create_time = ?, details_revision = ?, last_update_time = ?, expire_time = ?,
			  display_name = ?, labels = ?::json, initial_state_kept = ?, forked_from = ?::json
			where session_key = ? and expire_time = '-infinity' and create_time = ?
			""";

	private static final String ADD_STATE = """
			insert into state (scope_key, key, value)
			select ?, key, value::json from unnest(?::text[], ?::text[]) as added (key, value) order by key collate "C"
			on conflict do nothing
			returning key
			""";

	private static final String STATE = "select key, value from state where scope_key = ? and key = any (?)";

	private final JdbcTemplate jdbc;

	ImportStatements(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Inserts the row of a session, unless there is one. */
	boolean insert(ImportedSession session) {
		return this.jdbc.update(INSERT,
				(statement) -> details(names(new Parameters(statement), session.key()), session)) > 0;
	}

	/** Inserts the row of a session that nobody finds, unless there is one. */
	Optional<ImportLease> insertHidden(SessionKey key) {
		return lease(INSERT_HIDDEN, (statement) -> names(new Parameters(statement), key));
	}

	/**
	 * Locks the row of a session that is being imported, and has the purge leave it alone
	 * for a while longer.
	 * @param revision how many events it has after this transaction
	 * @throws ImportConflictException if somebody has removed it
	 */
	ImportLease extend(SessionKey key, ImportLease lease, long revision) {
		return lease(EXTEND,
				(statement) -> new Parameters(statement).add(Long.valueOf(revision))
					.add(Long.valueOf(revision))
					.add(ScopeKey.of(key))
					.add(lease.until()))
			.orElseThrow(ImportStatements::removed);
	}

	/**
	 * Leaves what there is of a session to its removal, if it is still of this import.
	 */
	boolean giveUp(SessionKey key, ImportLease lease) {
		return this.jdbc.update(GIVE_UP,
				(statement) -> new Parameters(statement).add(ScopeKey.of(key)).add(lease.until())) > 0;
	}

	/**
	 * Lets a session be found.
	 * @throws ImportConflictException if somebody has removed it
	 */
	void show(ImportedSession session, ImportLease lease) {
		int shown = this.jdbc.update(SHOW,
				(statement) -> details(new Parameters(statement), session).add(ScopeKey.of(session.key()))
					.add(lease.until()));
		if (shown == 0) {
			throw removed();
		}
	}

	private Optional<ImportLease> lease(String sql, PreparedStatementSetter parameters) {
		return this.jdbc.query(sql, parameters, (row, number) -> new ImportLease(Columns.time(row, "create_time")))
			.stream()
			.findFirst();
	}

	private static ImportConflictException removed() {
		return new ImportConflictException(
				"Somebody else has removed or created the session while it was imported. Import it again.");
	}

	/** Adds keys to a state, and gives the values of those that were there. */
	Map<String, JsonText> addState(UUID scopeKey, Map<String, JsonText> values) {
		String[] keys = values.keySet().toArray(String[]::new);
		String[] texts = values.values().stream().map(JsonText::text).toArray(String[]::new);
		List<String> added = this.jdbc.query(ADD_STATE,
				(statement) -> new Parameters(statement).add(scopeKey).add("text", keys).add("text", texts),
				(row, number) -> row.getString("key"));
		Map<String, JsonText> there = new LinkedHashMap<>();
		if (added.size() < keys.length) {
			this.jdbc.query(STATE, (statement) -> new Parameters(statement).add(scopeKey).add("text", keys),
					(RowCallbackHandler) (row) -> there.put(row.getString("key"),
							new JsonText(row.getString("value"))));
			added.forEach(there::remove);
		}
		return there;
	}

	private static Parameters names(Parameters parameters, SessionKey key) throws SQLException {
		return parameters.add(ScopeKey.of(key))
			.add(ScopeKey.of(key.app()))
			.add(ScopeKey.of(key.user()))
			.add(key.appName())
			.add(key.userId())
			.add(key.sessionId());
	}

	private static Parameters details(Parameters parameters, ImportedSession session) throws SQLException {
		Map<String, String> labels = session.details().labels();
		ForkedFrom origin = session.forkedFrom();
		return parameters.add(Long.valueOf(session.version().revision()))
			.add(Long.valueOf(session.version().revision()))
			.add(session.version().createTime())
			.add(Integer.valueOf(session.version().detailsRevision()))
			.add(session.lastUpdateTime())
			.add(session.details().expireTime())
			.add(session.details().displayName())
			.add((labels != null) ? JsonObject.ofTexts(labels).toJson().text() : null)
			.add(session.initialStateKept())
			.add((origin != null) ? origin.toJson().text() : null);
	}

}
