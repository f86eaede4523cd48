package dev.agentsessions.postgres.event;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.PendingCallStatements;
import dev.agentsessions.postgres.session.SequencedEvent;
import dev.agentsessions.session.StateOwner;

/**
 * Inserts events whose seqs are known beforehand, within a transaction of the caller: the
 * events that a session is created or imported with. It fills the same columns as an
 * append does, so that the same queries by time find both.
 */
@Component
public class EventWriter {

	private static final int MAX_BATCH_ROWS = 100;

	private static final String SQL = """
			insert into events (%s) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::json)
			""".formatted(Sql.EVENT_COLUMNS);

	private final JdbcTemplate jdbc;

	private final PendingCallStatements pending;

	EventWriter(JdbcTemplate jdbc, PendingCallStatements pending) {
		this.jdbc = jdbc;
		this.pending = pending;
	}

	/** Inserts events, and stores which function calls wait because of them. */
	public void execute(UUID sessionKey, StateOwner app, List<SequencedEvent> events) {
		insert(sessionKey, events);
		this.pending.add(sessionKey, app, events);
	}

	/** Inserts events only; the caller stores which function calls wait. */
	public void insert(UUID sessionKey, List<SequencedEvent> events) {
		this.jdbc.batchUpdate(SQL, events, MAX_BATCH_ROWS,
				(statement, event) -> new StatementParameters(statement)
					.addAll(sessionKey, event.seq(), event.commitTime())
					.add(event.event()));
	}

}
