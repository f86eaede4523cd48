package dev.agentsessions.postgres.manage;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.state.StateByScope;
import dev.agentsessions.postgres.state.StateRepository;

/**
 * The state of sessions of a list, read as somebody goes through the list, as many scopes
 * at once as a bounded amount of memory can hold.
 */
final class StatePageReader {

	/** So many scopes are looked at for one piece. */
	private static final int SCOPES_OF_PIECE = 3 * SessionPageReader.SESSIONS_OF_PIECE;

	/** About so many characters make a piece; a single scope may have more. */
	private static final int PIECE = 1 << 22;

	/** A scope that alone is larger than a piece is withheld, and only its size told. */
	private static final String SQL = """
			select place, last_place, scope_key, key, case when size < ? then value end as value, size from (
			  select place, max(place) over () as last_place, wanted.scope_key, key, value,
			    sum(size) over (partition by place) as size,
			    sum(size) over (order by place) - sum(size) over (partition by place) as before
			  from unnest(?::uuid[]) with ordinality as wanted (scope_key, place) cross join lateral (
			    select key, value,
			""" + StateRepository.SIZE + """
			     as size
			    from state where state.scope_key = wanted.scope_key offset 0) as own) as measured
			where before < ? order by place, key
			""";

	/**
	 * What Citus can ask all machines at once: how large each scope is, and then the
	 * rows.
	 */
	private static final String SIZES = """
			select scope_key, sum(
			""" + StateRepository.SIZE + """
			) as size from state where scope_key = any (?) group by scope_key
			""";

	private static final String ROWS = "select scope_key, key, value from state where scope_key = any (?)"
			+ " order by scope_key, key";

	private final JdbcTemplate jdbc;

	private final boolean distributed;

	private final boolean bounded;

	private final StateByScope found = new StateByScope();

	/** In the order in which they are asked for. */
	private final Set<UUID> unread;

	StatePageReader(JdbcTemplate jdbc, boolean distributed, boolean bounded, List<SessionEntity> sessions) {
		this.jdbc = jdbc;
		this.distributed = distributed;
		this.bounded = bounded;
		this.unread = sessions.stream()
			.flatMap((session) -> session.scopes().stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** What an agent reads in a session; they have to be asked for in their order. */
	Map<String, JsonText> merged(SessionEntity session) {
		while (this.unread.contains(session.getId())) {
			readPiece();
		}
		return this.found.merged(session.scopes());
	}

	private void readPiece() {
		List<UUID> wanted = this.unread.stream().limit(SCOPES_OF_PIECE).toList();
		if (!readPiece(wanted, PIECE)) {
			if (this.bounded) {
				throw new SessionPageReader.TooLargeException();
			}
			readPiece(wanted.subList(0, 1), Long.MAX_VALUE);
		}
	}

	/** Whether anything was read: not if the first scope is withheld for its size. */
	private boolean readPiece(List<UUID> wanted, long large) {
		int complete = this.distributed ? readInTwoSteps(wanted, large) : this.jdbc.query(SQL,
				(statement) -> new StatementParameters(statement).add(large).add("uuid", wanted.toArray()).add(PIECE),
				(ResultSetExtractor<Integer>) (rows) -> keep(rows, wanted.size()));
		wanted.subList(0, complete).forEach(this.unread::remove);
		return complete > 0;
	}

	private int readInTwoSteps(List<UUID> wanted, long large) {
		Map<UUID, Long> sizes = new HashMap<>();
		this.jdbc.query(SIZES, (statement) -> new StatementParameters(statement).add("uuid", wanted.toArray()),
				(row) -> {
					sizes.put(row.getObject("scope_key", UUID.class), row.getLong("size"));
				});
		int complete = 0;
		long before = 0;
		while (complete < wanted.size() && before < PIECE && sizes.getOrDefault(wanted.get(complete), 0L) < large) {
			before += sizes.getOrDefault(wanted.get(complete++), 0L);
		}
		Object[] fitting = wanted.subList(0, complete).toArray();
		this.jdbc.query(ROWS, (statement) -> new StatementParameters(statement).add("uuid", fitting), (row) -> {
			this.found.add(row.getObject("scope_key", UUID.class), row.getString("key"),
					new JsonText(row.getString("value")));
		});
		return complete;
	}

	/** Keeps what was read, and answers how many scopes that are. */
	private int keep(ResultSet rows, int wanted) throws SQLException {
		int complete = wanted;
		while (rows.next()) {
			int place = rows.getInt("place");
			String value = rows.getString("value");
			if (value == null) {
				return place - 1;
			}
			this.found.add(rows.getObject("scope_key", UUID.class), rows.getString("key"), new JsonText(value));
			complete = (place < rows.getInt("last_place")) ? place : wanted;
		}
		return complete;
	}

}
