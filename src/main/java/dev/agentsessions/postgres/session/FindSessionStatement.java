package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Placement;
import dev.agentsessions.postgres.SharedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.EventEntity.EventRows;
import dev.agentsessions.postgres.session.FindSessionStatement.SessionRows.SessionRead;
import dev.agentsessions.postgres.state.Scopes;
import dev.agentsessions.postgres.state.Scopes.StateByScope;
import dev.agentsessions.postgres.state.StateRepository;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventMarks.EventKind;

/**
 * Reads a session, the state of its scopes and the first chunk of a window of its events
 * in one statement, so all are of one moment.
 */
@Component
class FindSessionStatement {

	/** The maximum number of reads in one statement. */
	private static final int MAX_GROUP = 16;

	/**
	 * The state of some scopes. If it is too large, one row has its size and no value.
	 */
	private static final String STATE = """
			select scope_key, key, case when size < :defer_from then value end as value,
			  case when number = 1 then size else 0 end as size from (
			  select scope_key, key, value, sum(
			""" + StateRepository.SIZE + """
			    ) over () as size, row_number() over () as number
			  from state where scope_key %s) as numbered
			where size < :defer_from or number = 1
			""";

	/**
	 * The third condition on {@code seq} finds the begin of the window. Without a
	 * condition on time, the last {@code n} events are the last {@code n} seqs before the
	 * revision. With one, they are looked up.
	 */
	private static final String FIND = """
			with session as materialized (
			  select * from sessions where session_key = :session_key and %s),
			chunk as (
			  select seq, commit_time, id, body, size, sum(size) over (order by seq) - size as before from events
			  where session_key = :session_key and (:since::timestamptz is null or time >= :since::timestamptz)
			    and seq >= greatest(:from_seq, case
			      when :recent::bigint is null then 1
			      when :since::timestamptz is null then (select revision - :recent::bigint + 1 from session)
			      else (select min(seq) from (
			        select seq from events where session_key = :session_key and time >= :since::timestamptz
			        order by seq desc limit :recent::bigint) as newest)
			    end)
			  order by seq limit %d)
			select 0 as part, 0::bigint as size,
			  revision, last_update_time, create_time, details_revision, forked_from, %s,
			  case when :context
			    then exists (select from events where session_key = :session_key and kind & %d <> 0) end as edited,
			  null::uuid as scope_key, null::text as key, null::json as value,
			  null::bigint as seq, null::timestamptz as commit_time, null::text as id, null::json as body
			from session
			union all
			select 1, size, null, null, null, null, null, %s, null, scope_key, key, value,
			  null, null, null, null
			from (%s) as state where exists (select from session)
			union all
			select 2, size, null, null, null, null, null, %s, null, null, null, null,
			  seq, commit_time, id, case when size < :defer_from then body end
			from chunk where before < :max_chars and exists (select from session)
			""".formatted(Sql.LIVE, ListEventsStatement.MAX_CHUNK_EVENTS, DetailsColumns.NAMES,
			EventKind.CONTEXT_CHANGES, DetailsColumns.NULLS, STATE, DetailsColumns.NULLS);

	private static final String OF_ALL_SCOPES = FIND.formatted("in (:session_key, :user_key, :app_key)");

	private static final String OF_ONE_SCOPE = FIND.formatted("= :session_key");

	/** Many reads in one statement: the parameters of each are a row. */
	private static final String MANY = """
			select wanted.number, found.* from (
			  select * from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::bigint[], ?::bigint[], ?::boolean[])
			    with ordinality as of_each (session_key, user_key, app_key, from_seq, recent, context, number)
			  cross join (
			    select null::text as since, ?::bigint as defer_from, ?::bigint as max_chars) as of_all) as wanted
			cross join lateral (%s) as found
			""".formatted(OF_ALL_SCOPES.replaceAll("(?<!:):([a-z_]+)", "wanted.$1"));

	private static final String STATE_OF_ONE = "select 1 as part, state.* from (" + STATE.formatted("= :scope_key")
			+ ") as state";

	private final JdbcTemplate jdbc;

	private final NamedParameterJdbcTemplate named;

	private final Placement placement;

	FindSessionStatement(JdbcTemplate jdbc, NamedParameterJdbcTemplate named, Placement placement) {
		this.jdbc = jdbc;
		this.named = named;
		this.placement = placement;
	}

	/** Returns how many reads can share a statement. */
	int maxGroup() {
		return this.placement.together(MAX_GROUP);
	}

	/**
	 * Reads sessions with their state and their first events, in one statement.
	 * @param reads one read, or several without a condition on time, which could take
	 * long and keep the others waiting
	 * @param deferFrom a state or an event of this size and larger is deferred: only its
	 * size is read
	 */
	List<SessionRows> execute(List<SessionRead> reads, long deferFrom) {
		if (reads.size() == 1) {
			return List.of(execute(reads.get(0), deferFrom));
		}
		List<SessionRows> rows = reads.stream().map(SessionRows::new).toList();
		this.jdbc.query(MANY, (statement) -> addAll(new StatementParameters(statement), reads, deferFrom),
				(ResultSet row) -> rows.get(row.getInt("number") - 1).processRow(row));
		return rows;
	}

	private static void addAll(StatementParameters parameters, List<SessionRead> reads, long deferFrom)
			throws SQLException {
		parameters.add("uuid", reads.stream().map((read) -> read.scopes().session()).toArray());
		parameters.add("uuid", reads.stream().map((read) -> read.scopes().user()).toArray());
		parameters.add("uuid", reads.stream().map((read) -> read.scopes().app()).toArray());
		parameters.add("int8", reads.stream().map((read) -> read.window().fromSeq()).toArray());
		parameters.add("int8", reads.stream().map(SessionRead::recent).toArray());
		parameters.add("bool", reads.stream().map(SessionRead::isOfContext).toArray());
		parameters.addAll(deferFrom, SharedReads.limit(ListEventsStatement.MAX_CHUNK_CHARS, reads.size()));
	}

	/**
	 * Reads a session. If the state of the user and of the app may be on other machines,
	 * two further statements read it.
	 */
	SessionRows execute(SessionRead read, long deferFrom) {
		SessionRows rows = new SessionRows(read);
		Scopes scopes = read.scopes();
		List<List<UUID>> parts = this.placement.parts(List.of(scopes.session(), scopes.user(), scopes.app())).toList();
		query((parts.size() == 1) ? OF_ALL_SCOPES : OF_ONE_SCOPE, read, deferFrom, rows);
		parts.stream().skip(1).forEach((part) -> addState(rows, part.get(0), deferFrom));
		return rows;
	}

	private void addState(SessionRows rows, UUID scopeKey, long deferFrom) {
		this.named.query(STATE_OF_ONE, Map.of("scope_key", scopeKey, "defer_from", deferFrom), rows);
	}

	/**
	 * Reads the session with all events, but without the state of the user and the app.
	 */
	SessionRows executeAlone(SessionName name, UUID sessionKey, long deferFrom) {
		SessionRead read = new SessionRead(name, sessionKey, EventWindow.ALL);
		SessionRows rows = new SessionRows(read);
		query(OF_ONE_SCOPE, read, deferFrom, rows);
		return rows;
	}

	private void query(String statement, SessionRead read, long deferFrom, SessionRows rows) {
		Instant since = read.window().since();
		this.named.query(statement,
				new MapSqlParameterSource("session_key", read.scopes().session())
					.addValue("user_key", read.scopes().user())
					.addValue("app_key", read.scopes().app())
					.addValue("since", (since != null) ? since.toString() : null)
					.addValue("from_seq", read.window().fromSeq())
					.addValue("recent", read.recent(), Types.BIGINT)
					.addValue("context", read.isOfContext())
					.addValue("defer_from", deferFrom)
					.addValue("max_chars", ListEventsStatement.MAX_CHUNK_CHARS),
				rows);
	}

	/** The rows of {@link FindSessionStatement}, in any order. */
	static final class SessionRows extends EventRows {

		private static final int SESSION = 0;

		private static final int STATE = 1;

		private final SessionRead read;

		private final StateByScope state = new StateByScope();

		private @Nullable SessionEntity session;

		private boolean edited;

		SessionRows(SessionRead read) {
			this.read = read;
		}

		@Override
		public void processRow(ResultSet row) throws SQLException {
			switch (row.getInt("part")) {
				case SESSION -> addSession(row);
				case STATE -> addState(row);
				default -> addEvent(row);
			}
		}

		private void addSession(ResultSet row) throws SQLException {
			this.session = SessionEntity.fromFindSessionRow(this.read.name(), this.read.scopes(), row);
			this.edited = row.getBoolean("edited");
		}

		private void addState(ResultSet row) throws SQLException {
			String value = row.getString("value");
			count(row, value == null);
			if (value != null) {
				this.state.add(row.getObject("scope_key", UUID.class), row.getString("key"), new JsonText(value));
			}
		}

		/**
		 * Returns the session without deferred values; empty if there is no such session.
		 */
		Optional<Found> found() {
			events().sort(Comparator.comparingLong(Event::seq));
			return Optional.ofNullable(this.session)
				.map((entity) -> new Found(entity, this.state.merged(entity.scopes()), events(), this.edited));
		}

		/**
		 * A session with the first of its events.
		 *
		 * @param session its row
		 * @param state the merged state
		 * @param events the first events of the window, oldest first
		 * @param edited whether it has events that rewind or compact; {@code false} if
		 * this was not read
		 */
		record Found(SessionEntity session, Map<String, JsonText> state, List<Event> events, boolean edited) {

			/** Whether {@code events} ends with the newest event, or is empty. */
			boolean hasAllEvents() {
				return this.events.isEmpty()
						|| this.events.get(this.events.size() - 1).seq() == this.session.version().revision();
			}

		}

		/**
		 * A read of {@link FindSessionStatement}.
		 *
		 * @param name the names of the session
		 * @param scopes the keys of the session and of the state that it shares
		 * @param window which events
		 */
		record SessionRead(SessionName name, Scopes scopes, EventWindow window) {

			SessionRead(SessionName name, UUID sessionKey, EventWindow window) {
				this(name, Scopes.of(name, sessionKey), window);
			}

			/**
			 * Returns the maximum number of events, the newest ones; {@code null} for
			 * all.
			 */
			@Nullable Long recent() {
				return (this.window.recent() != null) ? this.window.recent().longValue() : null;
			}

			/** Whether a context view is read. */
			boolean isOfContext() {
				return this.window.view() == HistoryView.CONTEXT;
			}

		}

	}

}
