package dev.agentsessions.postgres.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageQuery.UsagePosition;

/**
 * Lists the sessions of an app or of a user, in an order that no change of a session
 * alters.
 */
@Component
class SpendingSessions {

	/** Maximum number of sessions that one statement reads. */
	static final int MAX_BATCH_SESSIONS = 1000;

	private static final UUID FIRST_KEY = new UUID(0, 0);

	private static final String SELECT = "select session_key, user_id, id, revision, last_update_time, "
			+ "coalesce((forked_from ->> 'seq')::bigint, 0) as copied from ";

	private static final String ONE = SELECT + "sessions where session_key = ? and " + Sql.LIVE;

	/** Along the index {@code sessions_by_id}. */
	private static final String OF_APP = SELECT + "sessions where app_key = ? and (id, session_key) >= (?, ?) and "
			+ Sql.LIVE + " order by id, session_key limit ?";

	/**
	 * Finds the sessions of the user first. Otherwise PostgreSQL might read the sessions
	 * of the whole app in the order of ids.
	 */
	private static final String OF_USER = "with own as materialized (select * from sessions where app_key = ? "
			+ "and user_key = ? and " + Sql.LIVE + ") " + SELECT
			+ "own where (id, session_key) >= (?, ?) order by id, session_key limit ?";

	/** Backwards along the primary key, to the first event of another invocation. */
	private static final String BEFORE_INVOCATION = """
			select seq from events where session_key = ? and seq < ? and seq >= ? and invocation_id <> ?
			order by seq desc limit 1
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	SpendingSessions(JdbcTemplate jdbc, Transactions transactions) {
		this.jdbc = jdbc;
		this.transactions = transactions;
	}

	/** Returns all events of a session; empty if the session is not there any more. */
	Optional<EventSlice> one(UUID key) {
		return DataAccessUtils.optionalResult(
				this.transactions.statement(() -> this.jdbc.query(ONE, (row, number) -> slice(row, null), key)));
	}

	/**
	 * Returns the events of the sessions of the app or the user after a position,
	 * beginning with its session. Copied events and sessions that have none in the range
	 * are left out.
	 */
	List<EventSlice> next(UsageQuery query, @Nullable UsagePosition position) {
		boolean ofUser = query.owner().userId() != null;
		return this.transactions.statement(() -> this.jdbc.query(ofUser ? OF_USER : OF_APP, (statement) -> {
			StatementParameters parameters = new StatementParameters(statement)
				.add(ScopeKey.ofApp(query.owner().appName()));
			if (ofUser) {
				parameters.add(ScopeKey.of(query.owner()));
			}
			parameters.addAll((position != null) ? position.sessionId() : "",
					(position != null) ? position.sessionKey() : FIRST_KEY, MAX_BATCH_SESSIONS);
		}, (row, number) -> {
			EventSlice all = slice(row, query.from());
			return all.after(all.copied()).after(position);
		}));
	}

	private static EventSlice slice(ResultSet row, @Nullable Instant from) throws SQLException {
		boolean mayCount = from == null || !Columns.time(row, "last_update_time").isBefore(from);
		return new EventSlice(row.getObject("session_key", UUID.class), row.getString("user_id"), row.getString("id"),
				row.getLong("copied"), 0, mayCount ? row.getLong("revision") : 0);
	}

	/**
	 * Returns the seq before the first event of the invocation; 0 if more than this
	 * number of events lie between.
	 */
	long beforeInvocation(UUID key, long seq, String invocationId, int most) {
		return DataAccessUtils.optionalResult(this.transactions.statement(
				() -> this.jdbc.queryForList(BEFORE_INVOCATION, Long.class, key, seq, seq - 1 - most, invocationId)))
			.orElse(0L);
	}

	/**
	 * Events of a session that follow each other.
	 *
	 * @param key the key of the session
	 * @param userId its user
	 * @param sessionId its id
	 * @param copied the seq of the last event that a fork has copied; 0 for none
	 * @param after the seq of the event before the first one
	 * @param until the seq of the last one
	 */
	record EventSlice(UUID key, String userId, String sessionId, long copied, long after, long until) {

		long events() {
			return Math.max(0, this.until - this.after);
		}

		/** Returns the first events of the slice. */
		EventSlice first(long events) {
			return between(this.after, Math.min(this.until, this.after + events));
		}

		/** Returns the slice without the events up to a seq. */
		EventSlice after(long seq) {
			return between(Math.max(this.after, seq), this.until);
		}

		/** Returns the slice after a position, which may be in another session. */
		EventSlice after(@Nullable UsagePosition position) {
			return (position != null && position.sessionKey().equals(this.key)) ? after(position.seq()) : this;
		}

		EventSlice between(long after, long until) {
			return new EventSlice(this.key, this.userId, this.sessionId, this.copied, after, until);
		}

		/** Returns the position before the first event. */
		UsagePosition begin() {
			return new UsagePosition(this.sessionId, this.key, this.after);
		}

		/** Returns the position of the last event. */
		UsagePosition end() {
			return new UsagePosition(this.sessionId, this.key, this.until);
		}

	}

}
