package dev.agentsessions.postgres.pending;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.pending.PendingCall;
import dev.agentsessions.session.pending.PendingCallStore;
import dev.agentsessions.session.pending.PendingQuery;
import dev.agentsessions.session.pending.PendingQuery.PendingPosition;

/**
 * Lists function calls that wait for an answer, in the order of an index of such calls
 * only.
 */
@Component
class PostgresPendingCallStore implements PendingCallStore {

	private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

	private static final String EXISTS = """
			select session_key from sessions
			where session_key = ? and %s
			""".formatted(Sql.LIVE);

	private static final String LIST = """
			select session_key, app_name, user_id, id, event_id, seq, open_time, name, args,
			  coalesce(long_call_id, call_id) as id_of_call
			from pending_calls join sessions using (session_key)
			where pending_calls.%s = ? and closed_seq is null
			  and (open_time, session_key, call_id, seq) > (?, ?, ?, ?)
			  and %s
			order by open_time, session_key, call_id, seq limit ?
			""";

	private static final String OF_SESSION = LIST.formatted("session_key", Sql.LIVE);

	private static final String OF_APP = LIST.formatted("app_key", Sql.LIVE);

	private final SessionKeys keys;

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	PostgresPendingCallStore(SessionKeys keys, JdbcTemplate jdbc, Transactions transactions) {
		this.keys = keys;
		this.jdbc = jdbc;
		this.transactions = transactions;
	}

	@Override
	public Optional<Page<PendingCall>> list(PendingQuery query) {
		SessionKey session = query.session();
		if (session == null) {
			return Optional.of(list(OF_APP, ScopeKey.ofApp(query.appName()), query));
		}
		// The calls of a session are removed after the session, so it is looked up last
		return this.keys.read(session, (key) -> {
			Page<PendingCall> page = list(OF_SESSION, key, query);
			return exists(key) ? Optional.of(page) : Optional.empty();
		});
	}

	private boolean exists(UUID sessionKey) {
		return !this.transactions.statement(() -> this.jdbc.queryForList(EXISTS, UUID.class, sessionKey)).isEmpty();
	}

	private Page<PendingCall> list(String sql, UUID key, PendingQuery query) {
		return Page.of(this.transactions.statement(() -> this.jdbc.query(sql,
				(statement) -> parameters(statement, key, query.after()).add(Long.valueOf(query.limit() + 1L)),
				(row, number) -> call(row))), query.limit());
	}

	private static StatementParameters parameters(PreparedStatement statement, UUID key,
			@Nullable PendingPosition after) throws SQLException {
		StatementParameters parameters = new StatementParameters(statement).add(key);
		return (after == null) ? parameters.add(FIRST).add(new UUID(0, 0)).add("").add(Long.valueOf(0))
				: parameters.add(after.since()).add(after.birth()).add(after.callKey()).add(Long.valueOf(after.seq()));
	}

	private static PendingCall call(ResultSet row) throws SQLException {
		String args = row.getString("args");
		return new PendingCall(new SessionKey(row.getString("app_name"), row.getString("user_id"), row.getString("id")),
				row.getObject("session_key", UUID.class), row.getString("event_id"), row.getLong("seq"),
				Columns.time(row, "open_time"), row.getString("id_of_call"), row.getString("name"),
				(args != null) ? new JsonText(args) : null);
	}

}
