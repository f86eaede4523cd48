package dev.agentsessions.postgres;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Divides events into pieces by their size, before anybody looks into one. So a statement
 * that looks through a piece takes a bounded time, and looks at nothing twice.
 */
@Component
class EventPieces {

	/** The size of so many events is asked for at once. */
	private static final int EVENTS_OF_RUN = 5000;

	/** Who goes back is likely to find soon what they look for. */
	private static final int EVENTS_OF_RUN_BACK = 1000;

	private static final String SQL = """
			select seq, size from unnest(?::int8[], ?::int8[]) as run (first, last) cross join lateral (
			  select seq, size from events where session_key = ? and seq between run.first and run.last offset 0) as event
			order by seq
			""";

	private final JdbcTemplate jdbc;

	EventPieces(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Goes through events, oldest first.
	 * @param room ends behind so many characters
	 * @param visitor takes a piece, and says whether to go on
	 */
	void oldestFirst(UUID sessionKey, BitSet seqs, long room, Predicate<BitSet> visitor) {
		long left = room;
		BitSet run = SeqRun.following(seqs, 0, EVENTS_OF_RUN);
		while (left > 0 && !run.isEmpty()) {
			left = visit(of(sessionKey, run), left, visitor);
			run = SeqRun.following(seqs, run.length() - 1L, EVENTS_OF_RUN);
		}
	}

	/** The same from the newest event on; the events of a piece are in their order. */
	void newestFirst(UUID sessionKey, BitSet seqs, long room, Predicate<BitSet> visitor) {
		long left = room;
		BitSet run = SeqRun.preceding(seqs, seqs.length(), EVENTS_OF_RUN_BACK);
		while (left > 0 && !run.isEmpty()) {
			List<SizedSeqs> pieces = of(sessionKey, run);
			Collections.reverse(pieces);
			left = visit(pieces, left, visitor);
			run = SeqRun.preceding(seqs, run.nextSetBit(0), EVENTS_OF_RUN_BACK);
		}
	}

	private static long visit(List<SizedSeqs> pieces, long room, Predicate<BitSet> visitor) {
		long left = room;
		for (SizedSeqs piece : pieces) {
			if (left > 0) {
				left = visitor.test(piece.seqs) ? left - piece.size : 0;
			}
		}
		return left;
	}

	/** Pieces of some events, in their order. What is large is alone. */
	private List<SizedSeqs> of(UUID sessionKey, BitSet run) {
		List<SizedSeqs> pieces = new ArrayList<>();
		this.jdbc.query(SQL, (statement) -> new Parameters(statement).add(SeqRun.of(run)).add(sessionKey), (row) -> {
			long size = row.getLong("size");
			SizedSeqs last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
			if (last == null || last.size + size > BoundedReads.LARGE) {
				last = new SizedSeqs();
				pieces.add(last);
			}
			last.add(row.getInt("seq"), size);
		});
		return pieces;
	}

	/** Some events, and how many characters they have. */
	private static final class SizedSeqs {

		private final BitSet seqs = new BitSet();

		private long size;

		void add(int seq, long more) {
			this.seqs.set(seq);
			this.size += more;
		}

	}

}
