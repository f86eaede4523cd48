package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventMarks;
import dev.agentsessions.session.SessionException;

/**
 * Notes what events mean that an older version of the service has stored, before an
 * upgrade or while some replicas are not upgraded yet. Every replica looks for such
 * sessions from time to time, by an index that has no others; a session that is read
 * before is caught up with then. Some thousand events go in a transaction, so a long
 * history holds up nobody for long.
 */
@Component
class NotesCatchUp implements Runnable {

	private static final Logger log = LoggerFactory.getLogger(NotesCatchUp.class);

	/** So many sessions are looked for at once. */
	private static final int SESSIONS_OF_PIECE = 100;

	/** So many events are looked at in one transaction. */
	private static final int EVENTS_OF_PIECE = 5000;

	/**
	 * What stands in events that mean something; what else it stands in is looked at,
	 * too.
	 */
	private static final String PATTERN = "ewind_?[bB]efore|\"compaction\"|ong_?[rR]unning|esponse";

	private static final String NEXT = """
			select session_key from sessions
			where noted_seq < revision and session_key > ? and (expire_time is null or expire_time > statement_timestamp())
			order by session_key limit ?
			""";

	private static final String LOCK = """
			select noted_seq, revision from sessions
			where session_key = ? and noted_seq < revision and (expire_time is null or expire_time > statement_timestamp())
			for update
			""";

	private static final String EVENTS = """
			select seq, commit_time, id, body, more from (
			  select seq, commit_time, id, body, sum(size) over (order by seq) - size as before,
			    lead(seq) over (order by seq) is not null as more
			  from events where session_key = ? and seq > ? and seq <= ? and body::text ~ ?) as piece
			where before < ? order by seq
			""";

	private static final String NOTED = "update sessions set noted_seq = ? where session_key = ?";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final EventNotes notes;

	NotesCatchUp(JdbcTemplate jdbc, Transactions transactions, EventNotes notes) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.notes = notes;
	}

	@Override
	public void run() {
		try {
			int sessions = 0;
			List<UUID> piece = next(new UUID(0, 0));
			while (!piece.isEmpty()) {
				piece.forEach(this::catchUp);
				sessions += piece.size();
				piece = next(piece.get(piece.size() - 1));
			}
			if (sessions > 0) {
				log.info("Noted what events mean in {} sessions that an older version had written to", sessions);
			}
		}
		catch (SessionException.Unavailable ex) {
			log.warn("What older versions have stored is noted later, because the database does not answer");
		}
	}

	private List<UUID> next(UUID behind) {
		return this.transactions.statement(() -> this.jdbc.queryForList(NEXT, UUID.class, behind, SESSIONS_OF_PIECE));
	}

	/** Notes what all events of a session mean. */
	void catchUp(UUID sessionKey) {
		boolean more = true;
		while (more) {
			more = this.transactions.write(sessionKey, () -> step(sessionKey));
		}
	}

	private boolean step(UUID sessionKey) {
		return this.jdbc
			.query(LOCK, (row, number) -> new long[] { row.getLong("noted_seq"), row.getLong("revision") }, sessionKey)
			.stream()
			.findFirst()
			.map((places) -> step(sessionKey, places[0], places[1]))
			.orElse(false);
	}

	private boolean step(UUID sessionKey, long noted, long revision) {
		Piece piece = new Piece(Math.min(revision, noted + EVENTS_OF_PIECE));
		this.jdbc.query(EVENTS, piece::add, sessionKey, noted, piece.last, PATTERN, EventsStatement.PIECE);
		if (!piece.marked.isEmpty()) {
			this.notes.note(sessionKey, piece.marked);
		}
		this.jdbc.update(NOTED, piece.last, sessionKey);
		return piece.last < revision;
	}

	/** The events of one transaction. */
	private static final class Piece {

		private final List<MarkedEvent> marked = new ArrayList<>();

		private long last;

		Piece(long last) {
			this.last = last;
		}

		void add(ResultSet row) throws SQLException {
			EventMarks marks = EventMarks.of(new JsonText(row.getString("body")));
			if (!marks.isEmpty()) {
				this.marked.add(new MarkedEvent(row.getLong("seq"), Columns.time(row, "commit_time"),
						row.getString("id"), marks));
			}
			if (row.getBoolean("more")) {
				this.last = row.getLong("seq");
			}
		}

	}

}
