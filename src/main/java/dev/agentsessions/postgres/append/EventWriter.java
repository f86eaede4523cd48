package dev.agentsessions.postgres.append;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.event.SequencedEvent;
import dev.agentsessions.postgres.pending.PendingCallStatements;
import dev.agentsessions.session.StateOwner;

/**
 * Inserts events whose places are known beforehand: those that a session is created or
 * imported with, within a transaction of the caller. Their columns are those of appended
 * events, so that both are found by the same times.
 */
@Component
public class EventWriter {

	private static final int PIECE = 100;

	private static final String SQL = """
			insert into events (%s) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::json)
			""".formatted(Sql.EVENT_COLUMNS);

	private final JdbcTemplate jdbc;

	private final PendingCallStatements pending;

	EventWriter(JdbcTemplate jdbc, PendingCallStatements pending) {
		this.jdbc = jdbc;
		this.pending = pending;
	}

	/** Inserts events, and keeps which calls wait because of them. */
	public void execute(UUID sessionKey, StateOwner app, List<SequencedEvent> events) {
		insert(sessionKey, events);
		this.pending.add(sessionKey, app, events);
	}

	/** Inserts events, and leaves it to the caller to keep which calls wait. */
	void insert(UUID sessionKey, List<SequencedEvent> events) {
		this.jdbc.batchUpdate(SQL, events, PIECE,
				(statement, placed) -> new StatementParameters(statement).add(sessionKey)
					.add(placed.seq())
					.add(placed.commitTime())
					.add(placed.event()));
	}

}
