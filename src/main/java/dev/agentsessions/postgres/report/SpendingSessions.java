package dev.agentsessions.postgres.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.report.SpendingSessions.EventSlice;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventMarks.EventKind;
import dev.agentsessions.session.report.UsageMetadata;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageQuery.UsagePosition;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;

/**
 * Lists the sessions of an app or of a user, in an order that no change of a session
 * alters.
 */
@Component
class SpendingSessions {

	/** Maximum number of sessions that one statement reads. */
	static final int MAX_BATCH_SESSIONS = 1000;

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
					(position != null) ? position.sessionKey() : ScopeKey.FIRST, MAX_BATCH_SESSIONS);
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

	/**
	 * Reads what the events of some slices have spent. To look for a text in a body costs
	 * far less than to parse it, and many bodies have no counts
	 * (docs/adr/0020-usage-is-added-up-when-asked.md).
	 */
	@Component
	static class SpentEventsStatement {

		/** One statement reads bodies of about this number of bytes, but one at least. */
		private static final long MAX_BYTES = 8 << 20;

		/** Longer counts are no counts. */
		private static final int MAX_USAGE_CHARS = 10_000;

		private static final int MAX_NAME_CHARS = 512;

		/** The functions of larger events are not read. */
		private static final int MAX_BODY_BYTES = 32 << 10;

		private static final String TAKEN_APART = """
				case when not fits or strpos(body::text, '"%s"') = 0 then null
				    when strpos(body::text, '\\u') = 0 then body
				    else (%s)::json end
				""".formatted(EventFields.USAGE_METADATA, Sql.NEUTRAL_BODY);

		private static final String HAS_FUNCTIONS = "size <= " + MAX_BODY_BYTES + " and coalesce(kind, 0) & "
				+ (EventKind.CALLS | EventKind.ANSWERS) + " <> 0";

		/**
		 * The order in the inner query makes PostgreSQL read along the primary key. It
		 * might read all events of a session by another index otherwise.
		 */
		private static final String FORMAT = """
				select i, seq, commit_time, size, fits, left(invocation_id, %1$d) as invocation_id,
				  case when length("%8$s"::text) <= %2$d then %3$s when "%8$s" is not null then 'false' end as usage,
				  case when length("modelVersion"::text) <= %1$d then %4$s end as model, left(author, %1$d) as author,
				  case when length(branch::text) <= %1$d then %5$s end as branch, case when fits and functions then body end as body,
				  coalesce(kind, 0) & %6$d <> 0 as failed
				from (
				  select i, seq, commit_time, invocation_id, author, kind, size, body, %%s as functions,
				    sum(size) over (order by i, seq rows unbounded preceding) - size < ? as fits
				  from unnest(?::uuid[], ?::int8[], ?::int8[]) with ordinality as slice (session_key, after, until, i)
				    cross join lateral (
				      select seq, commit_time, invocation_id, author, kind, size, body from events
				      where events.session_key = slice.session_key and seq > after and seq <= until
				        and (?::timestamptz is null or commit_time >= ?) and (?::timestamptz is null or commit_time < ?)
				      order by seq) as events) as spent
				  left join lateral json_to_record(%7$s) as named ("%8$s" json, "modelVersion" json, branch json) on true
				order by i, seq
				"""
			.formatted(MAX_NAME_CHARS, MAX_USAGE_CHARS, Sql.plain('"' + EventFields.USAGE_METADATA + "\"::text"),
					Sql.plain("\"modelVersion\"::text"), Sql.plain("branch::text"), EventKind.ERROR, TAKEN_APART,
					EventFields.USAGE_METADATA);

		private static final String SQL = FORMAT.formatted("false");

		/** Reads the bodies that have functions as well. */
		private static final String TIMED_SQL = FORMAT.formatted(HAS_FUNCTIONS);

		private final JdbcTemplate jdbc;

		private final Transactions transactions;

		SpentEventsStatement(JdbcTemplate jdbc, Transactions transactions) {
			this.jdbc = jdbc;
			this.transactions = transactions;
		}

		/**
		 * Reads the events of slices that are in the range of a query, in order. After
		 * one that does not fit, none fits.
		 */
		List<Row> execute(List<EventSlice> slices, UsageQuery query) {
			return this.transactions.statement(() -> this.jdbc.query(query.timed() ? TIMED_SQL : SQL,
					(statement) -> new StatementParameters(statement).add(MAX_BYTES)
						.add("uuid", slices.stream().map(EventSlice::key).toArray())
						.add("int8", slices.stream().map(EventSlice::after).toArray())
						.add("int8", slices.stream().map(EventSlice::until).toArray())
						.addTwice(query.from())
						.addTwice(query.until()),
					(row, number) -> row(row, slices)));
		}

		private static Row row(ResultSet row, List<EventSlice> slices) throws SQLException {
			int number = row.getInt("i") - 1;
			EventSlice slice = slices.get(number);
			long seq = row.getLong("seq");
			String usage = row.getString("usage");
			return new Row(number, row.getLong("size"), row.getBoolean("fits"), new SpentEvent(slice.userId(),
					slice.sessionId(), slice.key(), seq, seq <= slice.copied(), row.getString("invocation_id"),
					Columns.time(row, "commit_time"), name(row.getString("model")),
					(usage != null && !usage.equals("null")) ? UsageMetadata.of(new JsonText(usage)) : null,
					row.getBoolean("failed"), row.getString("author"),
					Objects.requireNonNullElse(name(row.getString("branch")), ""), Columns.jsonOrNull(row, "body")));
		}

		private static @Nullable String name(@Nullable String json) {
			String name = (json != null) ? new JsonText(json).stringOrText() : "";
			return (name.isBlank() || name.equals("null")) ? null : name;
		}

		/**
		 * An event.
		 *
		 * @param slice the number of its slice
		 * @param size the size of its body
		 * @param fits whether its body was read
		 * @param event what it has spent
		 */
		record Row(int slice, long size, boolean fits, SpentEvent event) {

		}

	}

}
