package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Inserts events whose places are known beforehand: those that a session is created or
 * imported with, within a transaction of the caller. Their columns are those of appended
 * events, so that both are found by the same times.
 */
@Component
class PlacedEventsStatement {

	private static final int PIECE = 100;

	private static final String SQL = """
			insert into events (session_key, seq, commit_time, id, invocation_id, author, time, size, body)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?::json)
			""";

	private final JdbcTemplate jdbc;

	private final EventNotes notes;

	PlacedEventsStatement(JdbcTemplate jdbc, EventNotes notes) {
		this.jdbc = jdbc;
		this.notes = notes;
	}

	/** Inserts events, and notes what they mean beside the state. */
	void execute(UUID sessionKey, List<PlacedEvent> events) {
		insert(sessionKey, events);
		this.notes.add(sessionKey, events);
	}

	/** Inserts events, and leaves it to the caller to note what they mean. */
	void insert(UUID sessionKey, List<PlacedEvent> events) {
		this.jdbc.batchUpdate(SQL, events, PIECE,
				(statement, placed) -> new Parameters(statement).add(sessionKey)
					.add(placed.seq())
					.add(placed.commitTime())
					.add(placed.event()));
	}

}
