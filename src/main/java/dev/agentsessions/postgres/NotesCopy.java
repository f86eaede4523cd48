package dev.agentsessions.postgres;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Copies what is noted of the events of a session, as it was after one of them, within
 * the transaction that copies the events: what a later event has ended still holds.
 */
@Component
class NotesCopy {

	private static final String NOTED = "select noted_seq, has_marks from sessions where session_key = ?";

	private static final String DELETE_MARKS = "delete from event_marks where session_key = ?";

	private static final String DELETE_CALLS = "delete from pending_calls where session_key = ?";

	private static final String COPY_MARKS = """
			insert into event_marks (session_key, until_seq, since_seq, kind, first_seq, last_seq, from_time, to_time)
			select ?, case when until_seq <= ? then until_seq else 9223372036854775807 end, since_seq, kind, first_seq,
			  last_seq, from_time, to_time
			from event_marks where session_key = ? and since_seq <= ?
			""";

	private static final String COPY_CALLS = """
			insert into pending_calls (session_key, call_id, seq, since_seq, app_key, event_id, name, args, open_time,
			  closed_seq)
			select ?, call_id, seq, since_seq, app_key, event_id, name, args, open_time,
			  case when closed_seq <= ? then closed_seq end
			from pending_calls where session_key = ? and since_seq <= ?
			""";

	private static final String NOTE = "update sessions set noted_seq = ?, has_marks = ? where session_key = ?";

	private final JdbcTemplate jdbc;

	NotesCopy(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Copies what is noted up to an event; what an older version of the service has left
	 * is noted for the copy as for its source. It may also have removed a session of the
	 * copy's name, and left what it did not know of.
	 */
	void copy(UUID source, UUID target, long seq) {
		this.jdbc.query(NOTED, (row) -> {
			long noted = Math.min(row.getLong("noted_seq"), seq);
			boolean marks = row.getBoolean("has_marks");
			if (marks) {
				this.jdbc.update(DELETE_MARKS, target);
				this.jdbc.update(DELETE_CALLS, target);
				this.jdbc.update(COPY_MARKS, target, noted, source, noted);
				this.jdbc.update(COPY_CALLS, target, noted, source, noted);
			}
			if (marks || noted < seq) {
				this.jdbc.update(NOTE, noted, marks, target);
			}
		}, source);
	}

}
