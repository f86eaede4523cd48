package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.EventMarks.OpenCall;

/**
 * Notes which function calls wait for somebody's answer. A row says from which event on a
 * call waits, and up to which, so what waited at any earlier moment is there, too.
 */
@Component
class PendingStatements {

	private static final String OPEN = """
			insert into pending_calls (session_key, call_id, seq, since_seq, app_key, event_id, name, args, open_time)
			select session_key, ?, ?, ?, app_key, ?, ?, ?::json, ? from sessions where session_key = ?
			on conflict do nothing
			""";

	private static final String CLOSE = """
			update pending_calls set closed_seq = ?
			where session_key = ? and call_id = any (?) and seq < ? and closed_seq is null
			""";

	private static final String TAKE_BACK = """
			update pending_calls set closed_seq = ? where session_key = ? and since_seq >= ? and closed_seq is null
			""";

	private static final String OPEN_AGAIN = """
			insert into pending_calls
			  (session_key, call_id, seq, since_seq, app_key, event_id, name, args, open_time)
			select session_key, call_id, seq, ?, app_key, event_id, name, args, open_time from pending_calls
			where session_key = ? and since_seq < ? and closed_seq >= ? and closed_seq < ?
			on conflict do nothing
			""";

	/** So many calls go in a statement. */
	private static final int CALLS_OF_PIECE = 500;

	private final JdbcTemplate jdbc;

	PendingStatements(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Notes the calls of an event that begin to wait. */
	void open(UUID sessionKey, MarkedEvent event) {
		List<OpenCall> calls = event.marks().opened();
		this.jdbc.batchUpdate(OPEN, calls, CALLS_OF_PIECE,
				(statement, call) -> new Parameters(statement).add(call.id())
					.add(Long.valueOf(event.seq()))
					.add(Long.valueOf(event.seq()))
					.add(event.id())
					.add(call.name())
					.add((call.args() != null) ? call.args().text() : null)
					.add(event.commitTime())
					.add(sessionKey));
	}

	/** Notes that an event answers calls. */
	void close(UUID sessionKey, MarkedEvent event) {
		if (!event.marks().answered().isEmpty()) {
			this.jdbc.update(CLOSE,
					(statement) -> new Parameters(statement).add(Long.valueOf(event.seq()))
						.add(sessionKey)
						.addTexts(event.marks().answered(), (id) -> id)
						.add(Long.valueOf(event.seq())));
		}
	}

	/**
	 * Takes back what events have opened and closed.
	 * @param first the first of them
	 * @param rewind the event that says so
	 */
	void rewind(UUID sessionKey, long first, long rewind) {
		this.jdbc.update(TAKE_BACK, rewind, sessionKey, first);
		this.jdbc.update(OPEN_AGAIN, rewind, sessionKey, first, first, rewind);
	}

}
