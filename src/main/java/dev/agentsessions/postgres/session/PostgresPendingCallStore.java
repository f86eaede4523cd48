package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery.PendingPosition;

/**
 * Lists function calls that wait for an answer, in the order of an index of such calls
 * only.
 */
@Component
class PostgresPendingCallStore implements PendingService.Store {

	private static final PendingPosition FIRST = new PendingPosition(Instant.parse("0001-01-01T00:00:00Z"),
			ScopeKey.FIRST, "", 0);

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

	private final JdbcClient jdbc;

	private final SessionRepository sessions;

	private final Transactions transactions;

	PostgresPendingCallStore(SessionKeys keys, JdbcClient jdbc, SessionRepository sessions, Transactions transactions) {
		this.keys = keys;
		this.jdbc = jdbc;
		this.sessions = sessions;
		this.transactions = transactions;
	}

	@Override
	public Optional<Page<PendingCall>> list(PendingQuery query) {
		SessionName session = query.session();
		if (session == null) {
			return Optional.of(list(OF_APP, ScopeKey.of(query.app()), query));
		}
		// The calls of a session are removed after the session, so it is looked up last
		return this.keys.read(session, (key) -> {
			Page<PendingCall> page = list(OF_SESSION, key, query);
			return this.transactions.statement(() -> this.sessions.find(key)).map((found) -> page);
		});
	}

	private Page<PendingCall> list(String sql, UUID key, PendingQuery query) {
		PendingPosition after = Objects.requireNonNullElse(query.after(), FIRST);
		return Page.of(this.transactions.statement(() -> this.jdbc.sql(sql)
			.params(key, after.since().atOffset(ZoneOffset.UTC), after.sessionKey(), after.callKey(), after.seq(),
					query.limit() + 1)
			.query(PostgresPendingCallStore::call)
			.list()), query.limit());
	}

	private static PendingCall call(ResultSet row, int number) throws SQLException {
		return new PendingCall(
				new SessionName(row.getString("app_name"), row.getString("user_id"), row.getString("id")),
				row.getObject("session_key", UUID.class), row.getString("event_id"), row.getLong("seq"),
				Columns.time(row, "open_time"), row.getString("id_of_call"), row.getString("name"),
				Columns.jsonOrNull(row, "args"));
	}

}
