package dev.agentsessions.postgres;

import java.util.BitSet;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.function.ToLongFunction;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventLinks;
import dev.agentsessions.session.TimeRange;

/**
 * Goes through some events of a history, in pieces of bounded size. What is not looked
 * for does not leave the database, and times decide by themselves where they can: they
 * are kept in microseconds, and ADK compares them as binary floating point numbers.
 */
@Component
class EventScan {

	/** The times of no event. */
	static final TimeRange NEVER = new TimeRange(1, 0);

	/** So many events are looked at by one statement. */
	private static final int EVENTS_OF_PIECE = 5000;

	private static final String SQL = """
			select seq, body, more from (
			  select seq, body, sum(size) over (order by seq) - size as before, lead(seq) over (order by seq) is not null as more
			  from (
			    select seq, case when needed then size else 0 end as size, case when needed then body end as body
			    from unnest(?::int8[], ?::int8[]) as run (first, last) cross join lateral (
			      select seq, size, body, extract(epoch from time)::float8 as time, body::text ~ ? as matches from events
			      where session_key = ? and seq between run.first and run.last offset 0) as event
			      cross join lateral (select matches or not (time between ? + 1e-5 and ? - 1e-5) as needed) as look
			    where matches or time between ? - 1e-5 and ? + 1e-5) as found) as piece
			where before < ? order by seq
			""";

	private final JdbcTemplate jdbc;

	EventScan(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Goes through events that may have a time, or have a text, oldest first.
	 * @param seqs which events
	 * @param times the times of those that are wanted; at the edges, others come, too
	 * @param pattern a regular expression, found in the texts of those that are wanted
	 */
	void forEach(UUID sessionKey, BitSet seqs, TimeRange times, String pattern, Action action) {
		forEach(seqs, (piece) -> execute(sessionKey, piece, times, NEVER, pattern, action, (seq) -> {
		}));
	}

	/**
	 * The same, but of events that have the time for certain, and no text that matches,
	 * only the seqs are read.
	 */
	void forEach(UUID sessionKey, BitSet seqs, TimeRange times, String pattern, Action action, IntConsumer certain) {
		forEach(seqs, (piece) -> execute(sessionKey, piece, times, times, pattern, action, certain));
	}

	private static void forEach(BitSet seqs, ToLongFunction<BitSet> statement) {
		BitSet piece = SeqRun.following(seqs, 0, EVENTS_OF_PIECE);
		while (!piece.isEmpty()) {
			piece = SeqRun.following(seqs, statement.applyAsLong(piece), EVENTS_OF_PIECE);
		}
	}

	/** The seq behind which the next piece begins. */
	private long execute(UUID sessionKey, BitSet seqs, TimeRange times, TimeRange certainTimes, String pattern,
			Action action, IntConsumer certain) {
		long[] last = { seqs.length() - 1L };
		this.jdbc.query(SQL,
				(statement) -> new Parameters(statement).add(SeqRun.of(seqs))
					.add(pattern)
					.add(sessionKey)
					.add(certainTimes.from())
					.add(certainTimes.to())
					.add(times.from())
					.add(times.to())
					.add(EventsStatement.PIECE),
				(row) -> {
					int seq = row.getInt("seq");
					String body = row.getString("body");
					if (body != null) {
						action.accept(seq, EventLinks.of(new JsonText(body)));
					}
					else {
						certain.accept(seq);
					}
					last[0] = row.getBoolean("more") ? seq : seqs.length() - 1L;
				});
		return last[0];
	}

	/** What is done with an event that was found. */
	interface Action {

		void accept(int seq, EventLinks event);

	}

}
