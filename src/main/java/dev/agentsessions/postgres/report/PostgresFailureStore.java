package dev.agentsessions.postgres.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Placement;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventMarks.EventKind;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.report.FailureService;
import dev.agentsessions.session.report.FailureService.Store.FailedEvent;
import dev.agentsessions.session.report.FailureService.Store.Newest;

/** Reads failed events, some sessions at once, until a request has read enough. */
@Component
class PostgresFailureStore implements FailureService.Store {

	/** A call ends after about this number of events. */
	private static final int MAX_EVENTS = 5000;

	/** A statement returns at most this number of events. */
	private static final int MAX_BATCH_EVENTS = 400;

	private static final int FIRST_BATCH_SESSIONS = 16;

	private static final int MAX_BATCH_SESSIONS = 64;

	/** The body of a larger event is not read. So a statement reads 12 MB at most. */
	private static final int MAX_BODY_BYTES = 32 << 10;

	/** Along the index {@code events_with_errors}. */
	private static final String OF_SLICE = "(select seq, commit_time, case when size <= " + MAX_BODY_BYTES
			+ " then body end as body from events where events.session_key = %s and kind & " + EventKind.ERROR
			+ " <> 0 and seq > %s and seq <= %s order by seq desc limit ?) as failed";

	private static final String IN_RANGE = " where (?::timestamptz is null or commit_time >= ?)"
			+ " and (?::timestamptz is null or commit_time <= ?) order by i, seq desc";

	private static final String OF_SESSIONS = "select i, seq, commit_time, body from "
			+ "unnest(?::uuid[], ?::int8[], ?::int8[]) with ordinality as slice (session_key, after, up_to, i) "
			+ "cross join lateral " + OF_SLICE.formatted("slice.session_key", "after", "up_to") + IN_RANGE;

	/** One machine of Citus executes it. */
	private static final String OF_SESSION = "select 1 as i, seq, commit_time, body from "
			+ OF_SLICE.formatted("?", "?", "?") + IN_RANGE;

	/**
	 * The body of a larger event is not read for a list, so 50 rows read 400 KB at most.
	 */
	private static final int MAX_LISTED_BYTES = 8 << 10;

	private static final String NEWEST = "kind & " + EventKind.ERROR + " <> 0 as failed, case when size <= "
			+ MAX_LISTED_BYTES + " then body end as body, exists (select from pending_calls where "
			+ "pending_calls.session_key = events.session_key and closed_seq is null) as waits from ";

	private static final String NEWEST_OF_SESSIONS = "select i, newest.* from "
			+ "unnest(?::uuid[], ?::int8[]) with ordinality as slice (session_key, up_to, i) cross join lateral (select "
			+ NEWEST
			+ "events where events.session_key = slice.session_key and seq <= up_to order by seq desc limit 1) as newest";

	private static final String NEWEST_OF_SESSION = "select 1 as i, " + NEWEST
			+ "events where events.session_key = ? and seq <= ? order by seq desc limit 1";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final Lanes lanes;

	private final DatabaseTimeouts timeouts;

	private final ResponseHeap memory;

	private final int maxBatchSessions;

	PostgresFailureStore(JdbcTemplate jdbc, Transactions transactions, Lanes lanes, DatabaseTimeouts timeouts,
			ResponseHeap memory, Placement placement) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.lanes = lanes;
		this.timeouts = timeouts;
		this.memory = memory;
		this.maxBatchSessions = placement.together(MAX_BATCH_SESSIONS);
	}

	@Override
	public List<Slice> read(List<Slice> sessions, EventCondition condition, Consumer<FailedEvent> events) {
		return sessions.isEmpty() ? sessions : this.lanes.heavy().run(() -> readAll(sessions, condition, events));
	}

	@Override
	public List<Newest> newest(List<Slice> sessions) {
		List<Newest> newest = new ArrayList<>();
		for (int begin = 0; begin < sessions.size(); begin += this.maxBatchSessions) {
			List<Slice> batch = sessions.subList(begin, Math.min(begin + this.maxBatchSessions, sessions.size()));
			long before = this.memory.taken();
			newest.addAll(this.transactions
				.statement(() -> this.jdbc.query((batch.size() == 1) ? NEWEST_OF_SESSION : NEWEST_OF_SESSIONS,
						(statement) -> addNewest(new StatementParameters(statement), batch),
						(row, index) -> newest(row, batch))));
			this.memory.backTo(before);
		}
		return newest;
	}

	private static void addNewest(StatementParameters parameters, List<Slice> batch) throws SQLException {
		if (batch.size() == 1) {
			parameters.addAll(batch.get(0).sessionKey(), batch.get(0).upTo());
		}
		else {
			parameters.add("uuid", batch.stream().map(Slice::sessionKey).toArray())
				.add("int8", batch.stream().map(Slice::upTo).toArray());
		}
	}

	private static Newest newest(ResultSet row, List<Slice> batch) throws SQLException {
		return new Newest(batch.get(row.getInt("i") - 1).session(), row.getBoolean("failed"), row.getBoolean("waits"),
				Columns.jsonOrNull(row, "body"));
	}

	private List<Slice> readAll(List<Slice> sessions, EventCondition condition, Consumer<FailedEvent> events) {
		long begin = System.nanoTime();
		List<Slice> left = new ArrayList<>(sessions);
		int room = MAX_EVENTS;
		int atOnce = Math.min(FIRST_BATCH_SESSIONS, this.maxBatchSessions);
		while (!left.isEmpty() && room > 0 && !this.timeouts.isOver(begin)) {
			List<Slice> batch = left.subList(0, Math.min(atOnce, left.size()));
			int limit = MAX_BATCH_EVENTS / batch.size();
			long before = this.memory.taken();
			List<Row> rows = execute(batch, condition, limit);
			this.memory.backTo(before);
			int taken = take(batch, rows, limit, events);
			room -= taken;
			// A session with many failed events is read alone, and fewer at once after it
			atOnce = (taken < rows.size()) ? 1 : Math.min(this.maxBatchSessions, 2 * atOnce);
		}
		return left;
	}

	/**
	 * Takes the events of the sessions up to the first one that has further events, and
	 * removes what was read from the batch.
	 * @return the number of events taken
	 */
	private static int take(List<Slice> batch, List<Row> rows, int limit, Consumer<FailedEvent> events) {
		int taken = 0;
		for (int number = 1; !batch.isEmpty(); number++) {
			int begin = taken;
			while (taken < rows.size() && rows.get(taken).slice() == number) {
				events.accept(rows.get(taken++).event());
			}
			if (taken - begin == limit) {
				batch.set(0, batch.get(0).before(rows.get(taken - 1).event().seq()));
				return taken;
			}
			batch.remove(0);
		}
		return taken;
	}

	private List<Row> execute(List<Slice> batch, EventCondition condition, int limit) {
		return this.transactions.statement(() -> this.jdbc.query((batch.size() == 1) ? OF_SESSION : OF_SESSIONS,
				(statement) -> add(new StatementParameters(statement), batch).add(limit)
					.addTwice(condition.from())
					.addTwice(condition.until()),
				(row, index) -> row(row, batch)));
	}

	private static StatementParameters add(StatementParameters parameters, List<Slice> batch) throws SQLException {
		if (batch.size() == 1) {
			Slice slice = batch.get(0);
			return parameters.addAll(slice.sessionKey(), slice.after(), slice.upTo());
		}
		return parameters.add("uuid", batch.stream().map(Slice::sessionKey).toArray())
			.add("int8", batch.stream().map(Slice::after).toArray())
			.add("int8", batch.stream().map(Slice::upTo).toArray());
	}

	private static Row row(ResultSet row, List<Slice> batch) throws SQLException {
		int number = row.getInt("i");
		return new Row(number, new FailedEvent(batch.get(number - 1).session(), row.getLong("seq"),
				Columns.time(row, "commit_time"), Columns.jsonOrNull(row, "body")));
	}

	/**
	 * A failed event.
	 *
	 * @param slice the number of its slice in the batch, from 1
	 * @param event the event
	 */
	private record Row(int slice, FailedEvent event) {

	}

}
