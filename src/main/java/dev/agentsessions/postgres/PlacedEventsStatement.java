package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.StateOwner;

/**
 * Inserts events whose places are known beforehand: those that a session is created or
 * imported with, within a transaction of the caller. Their columns are those of appended
 * events, so that both are found by the same times.
 */
@Component
class PlacedEventsStatement {

	private static final int PIECE = 100;

	private static final String SQL = """
			insert into events (session_key, seq, commit_time, id, invocation_id, author, time, kind, size, body)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::json)
			""";

	private final JdbcTemplate jdbc;

	private final PendingStatements pending;

	PlacedEventsStatement(JdbcTemplate jdbc, PendingStatements pending) {
		this.jdbc = jdbc;
		this.pending = pending;
	}

	/** Inserts events, and keeps which calls wait because of them. */
	void execute(UUID sessionKey, StateOwner app, List<PlacedEvent> events) {
		insert(sessionKey, events);
		this.pending.add(sessionKey, app, events);
	}

	/** Inserts events, and leaves it to the caller to keep which calls wait. */
	void insert(UUID sessionKey, List<PlacedEvent> events) {
		this.jdbc.batchUpdate(SQL, events, PIECE,
				(statement, placed) -> new Parameters(statement).add(sessionKey)
					.add(placed.seq())
					.add(placed.commitTime())
					.add(placed.event()));
	}

}
