package dev.agentsessions.postgres.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.MemoryBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.SelectedEvents;

/**
 * Reads events of a session by their ids, each found by one look into the index. The
 * first statement tells which of them are there; if they are too large to be kept at
 * once, their bodies are read in chunks while the answer is written.
 */
@Component
public class SelectedEventsReader {

	private static final String SQL = """
			select session_key, seq, commit_time, id, before < ? as in_chunk, size,
			  case when before < ? and size < ? then body end as body from (
			  select session_key from sessions
			  where session_key = ? and %s) as live
			left join (
			  select place, seq, commit_time, event.id, body, size, sum(size) over (order by place) - size as before
			  from unnest(?::text[]) with ordinality as wanted (id, place) cross join lateral (
			    select seq, commit_time, id, body, size from events
			    where session_key = ? and events.id = wanted.id limit 1) as event) as found on true
			order by place
			""".formatted(Sql.LIVE);

	private final JdbcTemplate jdbc;

	private final MemoryBoundedReads reads;

	SelectedEventsReader(JdbcTemplate jdbc, MemoryBoundedReads reads) {
		this.jdbc = jdbc;
		this.reads = reads;
	}

	/** Reads those that are there; empty if there is no such session. */
	public Optional<SelectedEvents> read(UUID sessionKey, List<String> ids) {
		Rows rows = rows(sessionKey, ids);
		if (!rows.exists) {
			return Optional.empty();
		}
		List<String> found = rows.ids;
		EventStream events = this.reads.history(rows.events(), (chunk) -> following(sessionKey, chunk, found));
		return Optional.of(new SelectedEvents(events, ids.stream().filter((id) -> !found.contains(id)).toList()));
	}

	private List<Event> following(UUID sessionKey, List<Event> chunk, List<String> found) {
		List<String> left = found.subList(found.indexOf(chunk.get(chunk.size() - 1).id()) + 1, found.size());
		if (left.isEmpty()) {
			return List.of();
		}
		List<Event> following = rows(sessionKey, left).events();
		if (following.isEmpty()) {
			throw new SessionException.NotFound();
		}
		return following;
	}

	private Rows rows(UUID sessionKey, List<String> ids) {
		return this.reads.read((large) -> {
			Rows rows = new Rows();
			this.jdbc.query(SQL,
					(statement) -> new StatementParameters(statement).add(ListEventsStatement.PIECE)
						.add(ListEventsStatement.PIECE)
						.add(large)
						.add(sessionKey)
						.add("text", ids.toArray(String[]::new))
						.add(sessionKey),
					rows);
			return rows;
		});
	}

	/** All events that were found, of which the first ones have their bodies. */
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
