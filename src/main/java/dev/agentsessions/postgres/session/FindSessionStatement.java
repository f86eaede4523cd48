package dev.agentsessions.postgres.session;

import java.sql.SQLException;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DistributionProperties;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.event.ListEventsStatement;
import dev.agentsessions.postgres.state.Scopes;
import dev.agentsessions.postgres.state.StateRepository;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventKind;

/**
 * Reads a session, the state of its scopes and the first chunk of a window of its events
 * in one statement, so all are of one moment.
 */
@Component
class FindSessionStatement {

	/**
	 * The state of some scopes. If it is too large, one row has its size and no value.
	 */
	private static final String STATE = """
			select scope_key, key, case when size < ? then value end as value,
			  case when number = 1 then size else 0 end as size from (
			  select scope_key, key, value, sum(
			""" + StateRepository.SIZE + """
			    ) over () as size, row_number() over () as number
			  from state where scope_key = %s) as numbered
			where size < ? or number = 1
			""";

	/**
	 * The third condition on {@code seq} finds the begin of the window. Without a
	 * condition on time, the last {@code n} events are the last {@code n} seqs before the
	 * revision. With one, they are looked up.
	 */
	private static final String FIND = """
			with session as materialized (
			  select * from sessions where session_key = ? and %s),
			chunk as (
			  select seq, commit_time, id, body, size, sum(size) over (order by seq) - size as before from events
			  where session_key = ? and (?::timestamptz is null or time >= ?)
			    and seq >= greatest(?, case
			      when ?::bigint is null then 1
			      when ?::timestamptz is null then (select revision - ? + 1 from session)
			      else (select min(seq) from (
			        select seq from events where session_key = ? and time >= ? order by seq desc limit ?) as newest)
			    end)
			  order by seq limit ?)
			select 0 as part, 0::bigint as size,
			  revision, last_update_time, create_time, details_revision, forked_from, %s,
			  case when ? then exists (select from events where session_key = ? and kind & %d <> 0) end as edited,
			  null::uuid as scope_key, null::text as key, null::json as value,
			  null::bigint as seq, null::timestamptz as commit_time, null::text as id, null::json as body
			from session
			union all
			select 1, size, null, null, null, null, null, %s, null, scope_key, key, value,
			  null, null, null, null
			from (%s) as state where exists (select from session)
			union all
			select 2, size, null, null, null, null, null, %s, null, null, null, null,
			  seq, commit_time, id, case when size < ? then body end
			from chunk where before < ? and exists (select from session)
			""".formatted(Sql.LIVE, DetailsColumns.NAMES, EventKind.CONTEXT_CHANGES, DetailsColumns.NULLS, STATE,
			DetailsColumns.NULLS);

	private static final String OF_ALL_SCOPES = FIND.formatted("any (?)");

	private static final String OF_ONE_SCOPE = FIND.formatted("?");

	private static final String STATE_OF_ONE = "select 1 as part, state.* from (" + STATE.formatted("?") + ") as state";

	private final JdbcTemplate jdbc;

	private final boolean distributed;

	FindSessionStatement(JdbcTemplate jdbc, DistributionProperties properties) {
		this.jdbc = jdbc;
		this.distributed = properties.distributed();
	}

	/**
	 * Reads the session, its state and its first events. Where the tables are
	 * distributed, the state of the user and of the app may be on other machines, and two
	 * further statements read it.
	 * @param names the names of the session
	 * @param sessionKey its key
	 * @param deferFrom a state or an event of this size and larger is deferred: only its
	 * size is read
	 */
	SessionRows execute(SessionKey names, UUID sessionKey, EventWindow window, long deferFrom) {
		Scopes scopes = Scopes.of(names, sessionKey);
		if (!this.distributed) {
			return execute(names, scopes, window, deferFrom, scopes.stream().toArray(UUID[]::new));
		}
		SessionRows rows = execute(names, scopes, window, deferFrom, sessionKey);
		scopes.shared().values().forEach((scopeKey) -> addState(rows, scopeKey, deferFrom));
		return rows;
	}

	private void addState(SessionRows rows, UUID scopeKey, long deferFrom) {
		this.jdbc.query(STATE_OF_ONE,
				(statement) -> new StatementParameters(statement).add(deferFrom).add(scopeKey).add(deferFrom), rows);
	}

	/**
	 * Reads the session with all events, but without the state of the user and the app.
	 */
	SessionRows executeAlone(SessionKey names, UUID sessionKey, long deferFrom) {
		return execute(names, Scopes.of(names, sessionKey), EventWindow.ALL, deferFrom, sessionKey);
	}

	/** Reads the session and the state under some of its scope keys. */
	private SessionRows execute(SessionKey names, Scopes scopes, EventWindow window, long deferFrom,
			UUID... scopeKeys) {
		UUID sessionKey = scopes.session();
		Long recent = (window.recent() != null) ? window.recent().longValue() : null;
		SessionRows rows = new SessionRows(names, scopes);
		this.jdbc.query((scopeKeys.length > 1) ? OF_ALL_SCOPES : OF_ONE_SCOPE,
				(statement) -> addScopes(new StatementParameters(statement).add(sessionKey)
					.add(sessionKey)
					.addTwice(window.since())
					.add(Long.valueOf(window.fromSeq()))
					.add(recent)
					.add(window.since())
					.add(recent)
					.add(sessionKey)
					.add(window.since())
					.add(recent)
					.add(ListEventsStatement.MAX_CHUNK_EVENTS)
					.add(window.view() == HistoryView.CONTEXT)
					.add(sessionKey)
					.add(deferFrom), scopeKeys).add(deferFrom).add(deferFrom).add(ListEventsStatement.MAX_CHUNK_CHARS),
				rows);
		return rows;
	}

	private static StatementParameters addScopes(StatementParameters parameters, UUID... scopeKeys)
			throws SQLException {
		return (scopeKeys.length > 1) ? parameters.add("uuid", (Object[]) scopeKeys) : parameters.add(scopeKeys[0]);
	}

}
