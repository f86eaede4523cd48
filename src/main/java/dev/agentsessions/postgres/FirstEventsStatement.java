package dev.agentsessions.postgres;

import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.NewEvent;

/**
 * Inserts the events that a session is created with, within a transaction of the caller.
 * Their columns are those of appended events, so that both are found by the same times.
 */
@Component
class FirstEventsStatement {

	private static final int PIECE = 100;

	private static final String SQL = """
			insert into events (session_key, seq, commit_time, id, invocation_id, author, time, size, body)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?::json)
			""";

	private final JdbcTemplate jdbc;

	FirstEventsStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Inserts events, numbered from 1, each committed a microsecond after the last. */
	List<Event> execute(SessionEntity session, List<NewEvent> events) {
		List<Numbered> numbered = new ArrayList<>();
		events.forEach((event) -> numbered.add(Numbered.of(session, event, numbered.size() + 1L)));
		this.jdbc.batchUpdate(SQL, numbered, PIECE,
				(statement, row) -> new Parameters(statement).add(session.getId())
					.add(row.stored().seq())
					.add(row.stored().commitTime())
					.add(row.event()));
		return numbered.stream().map(Numbered::stored).toList();
	}

	private record Numbered(NewEvent event, Event stored) {

		static Numbered of(SessionEntity session, NewEvent event, long seq) {
			return new Numbered(event, new Event(seq, session.commitTimeOf(seq), event.id(), event.body()));
		}

	}

}
