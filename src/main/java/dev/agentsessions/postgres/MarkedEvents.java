package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AnswerMemory;
import dev.agentsessions.session.EventMarks;

/**
 * Finds, among stored events, those that mean something beside their state, as many as
 * one transaction can note.
 */
@Component
class MarkedEvents {

	/** Among so many events, those of one transaction are chosen by their size. */
	private static final int EVENTS_OF_PIECE = 5000;

	/**
	 * So many events that mean something are noted in one transaction; each may have to
	 * look at the history.
	 */
	static final int MARKED_OF_PIECE = 50;

	/**
	 * What stands in events that mean something; what else it stands in is looked at,
	 * too.
	 */
	private static final List<String> TEXTS = List.of("ewindBefore", "ewind_before", "\"compaction\"", "ongRunning",
			"ong_running", "unctionResponse", "unction_response");

	private static final String EVENTS = """
			select seq, commit_time, id, size, case when size < ? then body end as body from events %s
			where session_key = ? and seq > ? and seq <= ? and %s order by seq
			""".formatted(EventScan.WHOLE, EventScan.MATCHES);

	private final JdbcTemplate jdbc;

	private final EventPieces pieces;

	private final AnswerMemory memory;

	MarkedEvents(JdbcTemplate jdbc, EventPieces pieces, AnswerMemory memory) {
		this.jdbc = jdbc;
		this.pieces = pieces;
		this.memory = memory;
	}

	/**
	 * Looks through the events that follow one, some of them.
	 * @param noted the seq of that one
	 * @param revision the seq of the last to look at
	 */
	Piece behind(UUID sessionKey, long noted, long revision) {
		BitSet next = SeqRun.between(noted + 1, Math.min(revision, noted + EVENTS_OF_PIECE));
		Piece piece = new Piece(next.length() - 1L);
		this.pieces.oldestFirst(sessionKey, next, 1, (first) -> {
			piece.last = first.length() - 1L;
			read(sessionKey, noted, piece, BoundedReads.LARGE);
			return false;
		});
		return piece;
	}

	/** What is withheld, because it is large, is read when there is memory for it. */
	private void read(UUID sessionKey, long noted, Piece piece, long large) {
		this.jdbc.query(EVENTS,
				(statement) -> new Parameters(statement).add(Long.valueOf(large))
					.add(sessionKey)
					.add(Long.valueOf(noted))
					.add(Long.valueOf(piece.last))
					.addTexts(TEXTS, (text) -> text),
				piece::add);
		if (piece.withheld > 0) {
			this.memory.during(piece.withheld, () -> read(sessionKey, noted, piece.again(), Long.MAX_VALUE));
		}
	}

	/** The events of one transaction. */
	static final class Piece {

		private final List<MarkedEvent> marked = new ArrayList<>();

		private long last;

		private long withheld;

		private Piece(long last) {
			this.last = last;
		}

		/** Those that mean something. */
		List<MarkedEvent> marked() {
			return this.marked;
		}

		/** The seq of the last that was looked at. */
		long last() {
			return this.last;
		}

		private Piece again() {
			this.withheld = 0;
			return this;
		}

		private void add(ResultSet row) throws SQLException {
			String body = row.getString("body");
			if (body == null) {
				this.withheld = row.getLong("size");
			}
			else if (this.marked.size() < MARKED_OF_PIECE) {
				addMarked(row, EventMarks.of(new JsonText(body)));
			}
		}

		private void addMarked(ResultSet row, EventMarks marks) throws SQLException {
			if (!marks.isEmpty()) {
				this.marked.add(new MarkedEvent(row.getLong("seq"), Columns.time(row, "commit_time"),
						row.getString("id"), marks));
			}
			if (this.marked.size() == MARKED_OF_PIECE) {
				this.last = row.getLong("seq");
			}
		}

	}

}
