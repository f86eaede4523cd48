package dev.agentsessions.postgres;

import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.IntConsumer;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AnswerMemory;
import dev.agentsessions.session.EventLinks;
import dev.agentsessions.session.TimeRange;

/**
 * Goes through some events of a history, in pieces of bounded size. What is not looked
 * for does not leave the database, and times decide by themselves where they can: they
 * are kept in microseconds, and ADK compares them as binary floating point numbers.
 */
@Component
class EventScan {

	/**
	 * Comes with what it is for as a table {@code whole}: the text of the body, read once
	 * for all texts that are looked for. Without the blank text behind it, PostgreSQL
	 * would unpack it for each.
	 */
	static final String WHOLE = "cross join lateral (select body::text || '' as written offset 0) as whole";

	/** Whether one of the texts of a parameter stands in it. */
	static final String MATCHES = "exists (select from unnest(?::text[]) as literal where strpos(written, literal) > 0)";

	/** The times of no event. */
	private static final TimeRange NEVER = new TimeRange(1, 0);

	private static final IntConsumer NOTHING = (seq) -> {
	};

	private static final String SQL = """
			select seq, size, needed, case when needed and size < ? then body end as body
			from unnest(?::int8[], ?::int8[]) as run (first, last) cross join lateral (
			  select seq, size, body, extract(epoch from time)::float8 as time, %s as matches
			  from events %s where session_key = ? and seq between run.first and run.last offset 0) as event
			  cross join lateral (select matches or not (time between ? + 1e-5 and ? - 1e-5) as needed) as look
			where matches or time between ? - 1e-5 and ? + 1e-5 order by seq
			""".formatted(MATCHES, WHOLE);

	private final JdbcTemplate jdbc;

	private final EventPieces pieces;

	private final AnswerMemory memory;

	EventScan(JdbcTemplate jdbc, EventPieces pieces, AnswerMemory memory) {
		this.jdbc = jdbc;
		this.pieces = pieces;
		this.memory = memory;
	}

	/**
	 * Goes through events that may have a time, or have a text, oldest first.
	 * @param seqs which events
	 * @param times the times of those that are wanted; at the edges, others come, too
	 * @param texts found in those that are wanted
	 */
	void forEach(UUID sessionKey, BitSet seqs, TimeRange times, List<String> texts, EventVisitor visitor) {
		forEach(sessionKey, seqs, new Look(times, NEVER, texts), visitor, NOTHING);
	}

	/**
	 * The same, but of events that have the time for certain, and no text that matches,
	 * only the seqs are read.
	 */
	void forEach(UUID sessionKey, BitSet seqs, TimeRange times, List<String> texts, EventVisitor visitor,
			IntConsumer certain) {
		forEach(sessionKey, seqs, new Look(times, times, texts), visitor, certain);
	}

	/**
	 * Goes through events that have a text, oldest first.
	 * @param seqs which events; as many as one statement may look through
	 */
	void forEach(UUID sessionKey, BitSet seqs, List<String> texts, EventVisitor visitor) {
		look(sessionKey, seqs, new Look(NEVER, NEVER, texts), visitor, NOTHING, BoundedReads.LARGE);
	}

	private void forEach(UUID sessionKey, BitSet seqs, Look look, EventVisitor visitor, IntConsumer certain) {
		this.pieces.oldestFirst(sessionKey, seqs, Long.MAX_VALUE, (piece) -> {
			look(sessionKey, piece, look, visitor, certain, BoundedReads.LARGE);
			return true;
		});
	}

	/** What is withheld, because it is large, is read when there is memory for it. */
	private void look(UUID sessionKey, BitSet seqs, Look look, EventVisitor visitor, IntConsumer certain, long large) {
		long[] withheld = { 0 };
		this.jdbc.query(SQL,
				(statement) -> new Parameters(statement).add(Long.valueOf(large))
					.add(SeqRun.of(seqs))
					.addTexts(look.texts, (text) -> text)
					.add(sessionKey)
					.add(look.certain.from())
					.add(look.certain.to())
					.add(look.times.from())
					.add(look.times.to()),
				(row) -> {
					String body = row.getString("body");
					if (body != null) {
						visitor.accept(row.getInt("seq"), EventLinks.of(new JsonText(body)));
					}
					else if (row.getBoolean("needed")) {
						withheld[0] = row.getLong("size");
					}
					else {
						certain.accept(row.getInt("seq"));
					}
				});
		if (withheld[0] > 0) {
			this.memory.during(withheld[0], () -> look(sessionKey, seqs, look, visitor, certain, Long.MAX_VALUE));
		}
	}

	/**
	 * What is looked for.
	 *
	 * @param times of events that may be wanted
	 * @param certain times that say all about an event without one of the texts
	 * @param texts in events that are wanted, whenever they were
	 */
	private record Look(TimeRange times, TimeRange certain, List<String> texts) {
	}

	/** What is done with an event that was found. */
	interface EventVisitor {

		void accept(int seq, EventLinks event);

	}

}
