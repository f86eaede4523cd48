package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.EventEntity.EventRows;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventService.SessionReads.SelectedEvents;

/**
 * Reads events of a session by their ids, with one look-up in the index for each. The
 * first statement finds out which of them exist. Bodies that do not fit in the first
 * chunk are read in further chunks while the response is written.
 */
@Component
public class SelectedEventsReader {

	private static final String SQL = """
			select session_key, seq, commit_time, id, before < ? as in_chunk, size,
			  case when before < ? and size < ? then body end as body from (
			  select session_key from sessions
			  where session_key = ? and %s) as live
			left join (
			  select number, seq, commit_time, event.id, body, size, sum(size) over (order by number) - size as before
			  from unnest(?::text[]) with ordinality as wanted (id, number) cross join lateral (
			    select seq, commit_time, id, body, size from events
			    where session_key = ? and events.id = wanted.id limit 1) as event) as found on true
			order by number
			""".formatted(Sql.LIVE);

	private final JdbcTemplate jdbc;

	private final HeapBoundedReads reads;

	SelectedEventsReader(JdbcTemplate jdbc, HeapBoundedReads reads) {
		this.jdbc = jdbc;
		this.reads = reads;
	}

	/** Reads the events that exist; empty if there is no such session. */
	public Optional<SelectedEvents> read(UUID sessionKey, List<String> ids) {
		Rows rows = rows(sessionKey, ids);
		if (!rows.exists) {
			return Optional.empty();
		}
		List<String> found = rows.ids;
		EventStream events = this.reads.stream(rows.events(), (chunk) -> next(sessionKey, chunk, found));
		return Optional.of(new SelectedEvents(events, ids.stream().filter((id) -> !found.contains(id)).toList()));
	}

	private Supplier<List<Event>> next(UUID sessionKey, List<Event> chunk, List<String> found) {
		List<String> remaining = found.subList(found.indexOf(chunk.get(chunk.size() - 1).id()) + 1, found.size());
		return () -> next(sessionKey, remaining);
	}

	private List<Event> next(UUID sessionKey, List<String> remaining) {
		if (remaining.isEmpty()) {
			return List.of();
		}
		List<Event> next = rows(sessionKey, remaining).events();
		if (next.isEmpty()) {
			throw new SessionException.NotFound();
		}
		return next;
	}

	private Rows rows(UUID sessionKey, List<String> ids) {
		return this.reads.read((deferFrom) -> {
			Rows rows = new Rows();
			this.jdbc.query(SQL, (statement) -> new StatementParameters(statement)
				.addAll(ListEventsStatement.MAX_CHUNK_CHARS, ListEventsStatement.MAX_CHUNK_CHARS, deferFrom, sessionKey)
				.add("text", ids.toArray(String[]::new))
				.add(sessionKey), rows);
			return rows;
		});
	}

	/** The ids of all events that were found, and the events of the first chunk. */
	private static final class Rows extends EventRows {

		private final List<String> ids = new ArrayList<>();

		private boolean exists;

		@Override
		public void processRow(ResultSet row) throws SQLException {
			this.exists = true;
			String id = row.getString("id");
			if (id != null) {
				this.ids.add(id);
			}
			if (row.getBoolean("in_chunk")) {
				addEvent(row);
			}
		}

	}

}
