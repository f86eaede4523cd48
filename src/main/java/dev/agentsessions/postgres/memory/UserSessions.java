package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.UserSessions.IndexedSession.IndexState;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService.Analyses;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventMarks.EventKind;

/**
 * Reads which sessions of a user a search works with, and how far they are indexed. What
 * it returns is bounded, however many sessions the user has.
 */
@Component
class UserSessions {

	/** Whether the label of a session keeps it out of every search. */
	static final String OPTED_OUT = "(coalesce(labels ->> 'memory', '') = 'off')";

	/**
	 * A search has time to index fewer sessions than this, so one statement returns no
	 * more that are behind.
	 */
	static final int MAX_BEHIND = 500;

	/**
	 * Returns the sessions with something to index, the oldest ones, and the newest ones
	 * with turns. Indexing may take turns from a session that is behind, so each session
	 * that is not is returned if those that are newer and not behind have fewer than the
	 * wanted number. A left join would compare each session with each state if PostgreSQL
	 * expected few; it executes a full join by hashes or by sorting. The order makes it
	 * read along the index {@code sessions_by_update}.
	 */
	private static final String OF_USER = """
			with own as materialized (
			  select session_key, id, revision, last_update_time, %s as opted_out, true as is_there from sessions
			  where app_key = ? and user_key = ? and %s
			    and (?::text[] is null or id = any (?::text[])) and (?::text is null or id <> ?)
			  order by last_update_time desc, id desc limit ?),
			states as materialized (
			  select session_key, analysis, up_to_seq, checked_seq, turns, words from said_sessions
			  where user_key = ? and (select count(*) from own) <= ?),
			joined as (
			  select session_key, id, revision, last_update_time, opted_out, analysis, up_to_seq, checked_seq, words,
			    case when opted_out then 0 else coalesce(turns, 0) end as turns,
			    case when opted_out then 0 else greatest(0, revision - coalesce(up_to_seq, 0)) end as missing,
			    case when opted_out then analysis is not null
			      else revision > coalesce(up_to_seq, 0) or revision > 0 and analysis <> ? end as behind
			  from own full join states using (session_key) where coalesce(is_there, false)),
			counted as (
			  select *, sum(turns) over () as all_turns, sum(missing) over () as all_missing,
			    sum(case when opted_out then 0 else revision end) over () as all_events,
			    sum(turns) over newest - turns as newer,
			    coalesce(sum(turns) filter (where not behind) over newest, 0) - turns as newer_settled,
			    count(*) filter (where behind) over () - count(*) filter (where behind) over newest as older_behind
			  from joined
			  window newest as (order by last_update_time desc, id desc rows unbounded preceding))
			select session_key, revision, opted_out, coalesce(analysis, 0) as analysis,
			  coalesce(up_to_seq, 0) as up_to_seq, coalesce(checked_seq, 0) as checked_seq, turns,
			  coalesce(words, 0) as words, all_turns, all_missing, all_events, sessions
			from (select count(*) as sessions from own) as all_own left join counted
			  on behind and older_behind < ? or turns > 0 and (newer < ? or not behind and newer_settled < ?)
			order by last_update_time desc, id desc
			""".formatted(OPTED_OUT, Sql.LIVE);

	private static final String ONE = "select session_key, revision, " + OPTED_OUT
			+ " as opted_out from sessions where session_key = ? and " + Sql.LIVE;

	/** Returns the given states that are no longer stored. */
	private static final String CHANGED = """
			with used as materialized (
			  select session_key, analysis, checked_seq, true as is_used
			  from unnest(?::uuid[], ?::int4[], ?::int8[]) as used (session_key, analysis, checked_seq)),
			states as materialized (
			  select session_key, analysis, checked_seq from said_sessions where user_key = ?)
			select session_key, coalesce(states.analysis, 0) <> used.analysis as restarted
			from used full join states using (session_key)
			where coalesce(is_used, false) and (coalesce(states.analysis, 0) <> used.analysis
			  or coalesce(states.checked_seq, 0) <> used.checked_seq)
			""";

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

	private final SaidStatements states;

	private final Analyses analyses;

	UserSessions(JdbcTemplate jdbc, Transactions transactions, SaidStatements states, Analyses analyses) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.states = states;
		this.analyses = analyses;
	}

	/** Selects sessions of a user, however many there are. */
	SelectedSessions of(StateOwner user, Filter filter, int maxTurns) {
		return of(user, filter, maxTurns, Integer.MAX_VALUE);
	}

	/**
	 * Selects sessions of a user that have not expired: at most {@link #MAX_BEHIND} with
	 * something to index, and the newest ones with turns.
	 * @param filter which sessions to select from
	 * @param maxTurns the number of turns that the selected sessions have together, if
	 * there are as many
	 * @param maxSessions if the user has more sessions than this, it reads no more and
	 * returns {@link SelectedSessions#TOO_MANY}
	 */
	SelectedSessions of(StateOwner user, Filter filter, int maxTurns, int maxSessions) {
		UUID userKey = ScopeKey.of(user);
		Object[] ids = filter.sessionIds().isEmpty() ? null : filter.sessionIds().toArray();
		SelectedSessions found = this.transactions.statement(() -> this.jdbc.query(OF_USER,
				(statement) -> new StatementParameters(statement).addAll(ScopeKey.ofApp(user.appName()), userKey)
					.add("text", ids)
					.add("text", ids)
					.addTwice(filter.exceptSessionId())
					.addAll(maxSessions + 1L, userKey, (long) maxSessions, this.analyses.of(user.appName()).version(),
							MAX_BEHIND, maxTurns, maxTurns),
				(ResultSetExtractor<SelectedSessions>) (rows) -> selected(rows, user, userKey, maxSessions)));
		return (found != null) ? found : SelectedSessions.NONE;
	}

	private static SelectedSessions selected(ResultSet rows, StateOwner user, UUID userKey, int maxSessions)
			throws SQLException {
		List<IndexedSession> sessions = new ArrayList<>();
		long turns = 0;
		long missing = 0;
		long events = 0;
		while (rows.next()) {
			if (rows.getLong("sessions") > maxSessions) {
				return SelectedSessions.TOO_MANY;
			}
			if (rows.getObject("session_key") == null) {
				return SelectedSessions.NONE;
			}
			sessions.add(session(rows, user, userKey).with(IndexState.of(rows)));
			turns = rows.getLong("all_turns");
			missing = rows.getLong("all_missing");
			events = rows.getLong("all_events");
		}
		return new SelectedSessions(sessions, turns, missing, events);
	}

	private static IndexedSession session(ResultSet row, StateOwner user, UUID userKey) throws SQLException {
		return new IndexedSession(userKey, row.getObject("session_key", UUID.class), user.appName(),
				row.getLong("revision"), row.getBoolean("opted_out"), IndexState.NOTHING);
	}

	/** Returns a session of a user; empty if it is gone. */
	Optional<IndexedSession> one(StateOwner user, UUID sessionKey) {
		UUID userKey = ScopeKey.of(user);
		return DataAccessUtils
			.optionalResult(this.transactions
				.statement(() -> this.jdbc.query(ONE, (row, number) -> session(row, user, userKey), sessionKey)))
			.map((session) -> session.with(this.transactions.statement(() -> this.states.state(userKey, sessionKey))));
	}

	/**
	 * Returns those of some sessions of a user whose index another search has changed,
	 * each with whether it began anew for another analysis.
	 */
	Map<UUID, Boolean> changed(UUID userKey, List<IndexedSession> sessions) {
		Map<UUID, Boolean> changed = new HashMap<>();
		this.transactions.statement(() -> this.jdbc.query(CHANGED,
				(statement) -> new StatementParameters(statement)
					.add("uuid", sessions.stream().map(IndexedSession::key).toArray())
					.add("int4", sessions.stream().map((session) -> session.index().analysis()).toArray())
					.add("int8", sessions.stream().map((session) -> session.index().checkedSeq()).toArray())
					.add(userKey),
				(row, number) -> changed.put(row.getObject("session_key", UUID.class), row.getBoolean("restarted"))));
		return changed;
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
		if (sessions.isEmpty()) {
			return new HashSet<>();
		}
		return new HashSet<>(this.transactions.statement(() -> this.jdbc.query(REWOUND,
				(statement) -> new StatementParameters(statement)
					.add("uuid", sessions.stream().map(IndexedSession::key).toArray())
					.add("int8", sessions.stream().map((session) -> session.index().checkedSeq()).toArray()),
				(row, number) -> row.getObject("session_key", UUID.class))));
	}

	/**
	 * Sessions of a user, selected from those that a filter includes.
	 *
	 * @param sessions the selected sessions, the newest first
	 * @param turns the number of turns that all sessions of the filter have
	 * @param missing the number of events of all sessions of the filter that are not
	 * indexed yet
	 * @param events the number of events of all sessions of the filter
	 */
	record SelectedSessions(List<IndexedSession> sessions, long turns, long missing, long events) {

		/** No sessions. */
		static final SelectedSessions NONE = new SelectedSessions(List.of(), 0, 0, 0);

		/** The user has more sessions than were to be read. */
		static final SelectedSessions TOO_MANY = new SelectedSessions(List.of(), Long.MAX_VALUE, 0, 0);

		/**
		 * Returns how many events of all sessions are missing when the selected ones have
		 * changed.
		 */
		long missing(List<IndexedSession> changed) {
			return this.missing - sum(this.sessions) + sum(changed);
		}

		private static long sum(List<IndexedSession> sessions) {
			return sessions.stream().mapToLong(IndexedSession::missing).sum();
		}

	}

	/**
	 * A session of a user, and how far it is indexed.
	 *
	 * @param userKey the key of its user
	 * @param key its key
	 * @param appName its app
	 * @param revision the seq of its newest event
	 * @param optedOut whether its label keeps it out of every search
	 * @param index how far it is indexed
	 */
	record IndexedSession(UUID userKey, UUID key, String appName, long revision, boolean optedOut, IndexState index) {

		IndexedSession with(IndexState other) {
			return new IndexedSession(this.userKey, this.key, this.appName, this.revision, this.optedOut, other);
		}

		/** Returns the number of events that are not indexed yet. */
		long missing() {
			return this.optedOut ? 0 : Math.max(0, this.revision - this.index.upToSeq());
		}

		/** Whether there is something to index, with this version of the analysis. */
		boolean isBehind(int analysis) {
			return !this.optedOut && (missing() > 0 || this.revision > 0 && this.index.analysis() != analysis);
		}

		/** Whether rewinds after the indexed events may take back some of them. */
		boolean mayShowRewound() {
			return !this.index.isNothing() && this.index.checkedSeq() < this.revision;
		}

		/**
		 * How far a session is indexed: a row of {@code said_sessions}.
		 *
		 * @param analysis the version of the analysis of its words
		 * @param upToSeq the seq of the newest event that is indexed
		 * @param checkedSeq the seq of the newest event up to which rewinds are taken
		 * into account
		 * @param turns the number of its turns
		 * @param words the number of the words of these turns
		 */
		record IndexState(int analysis, long upToSeq, long checkedSeq, int turns, long words) {

			static final String COLUMNS = "analysis, up_to_seq, checked_seq, turns, words";

			/** The state of a session of which nothing is indexed. */
			static final IndexState NOTHING = new IndexState(0, 0, 0, 0, 0);

			static IndexState of(ResultSet row) throws SQLException {
				return new IndexState(row.getInt("analysis"), row.getLong("up_to_seq"), row.getLong("checked_seq"),
						row.getInt("turns"), row.getLong("words"));
			}

			/** Whether the session has any rows. */
			boolean isNothing() {
				return equals(NOTHING);
			}

			/** Returns the state in which the index of the session begins anew. */
			IndexState restarted(int newAnalysis, long revision) {
				return new IndexState(newAnalysis, 0, revision, 0, 0);
			}

			/** Returns this state with rewinds taken into account up to a revision. */
			IndexState checked(long revision) {
				return new IndexState(this.analysis, this.upToSeq, Math.max(revision, this.checkedSeq), this.turns,
						this.words);
			}

			/** Returns this state after a part. */
			IndexState after(long seq, int moreTurns, long moreWords) {
				return new IndexState(this.analysis, seq, this.checkedSeq, this.turns + moreTurns,
						this.words + moreWords);
			}

		}

	}

}
