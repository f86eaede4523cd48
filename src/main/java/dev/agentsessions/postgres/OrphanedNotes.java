package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Deletes what is noted of events whose session is gone: an older version of the service,
 * which does not know of it, leaves it when it removes a session.
 */
@Component
class OrphanedNotes {

	/** So many sessions are looked at by one statement. */
	private static final int SESSIONS_OF_PIECE = 1000;

	private static final List<String> TABLES = List.of("event_marks", "pending_calls");

	/** Goes from key to key, however many rows each has. */
	private static final String NEXT = """
			with recursive noted (session_key) as (
			  (select session_key from %1$s where session_key > ? order by session_key limit 1)
			  union all
			  select (select session_key from %1$s where session_key > noted.session_key order by session_key limit 1)
			  from noted where session_key is not null)
			select session_key, exists (select from sessions where session_key = noted.session_key) as has_session
			from noted where session_key is not null limit ?
			""";

	/** By one statement, so that what belongs to a session that comes back stays. */
	private static final String DELETE = """
			delete from %1$s where session_key = ? and not exists (select from sessions where session_key = ?)
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final boolean distributed;

	OrphanedNotes(JdbcTemplate jdbc, Transactions transactions, DistributionProperties properties) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.distributed = properties.distributed();
	}

	/**
	 * Deletes them of all sessions that are gone. No version that leaves them could work
	 * on distributed tables.
	 */
	void delete() {
		if (!this.distributed) {
			TABLES.forEach(this::delete);
		}
	}

	private void delete(String table) {
		List<Noted> piece = next(table, new UUID(0, 0));
		while (!piece.isEmpty()) {
			piece.stream().filter((noted) -> !noted.hasSession).forEach((noted) -> delete(table, noted.sessionKey));
			piece = next(table, piece.get(piece.size() - 1).sessionKey);
		}
	}

	private List<Noted> next(String table, UUID behind) {
		return this.transactions.statement(() -> this.jdbc.query(NEXT.formatted(table),
				(row, number) -> new Noted(row.getObject("session_key", UUID.class), row.getBoolean("has_session")),
				behind, SESSIONS_OF_PIECE));
	}

	private void delete(String table, UUID sessionKey) {
		this.transactions.statement(() -> this.jdbc.update(DELETE.formatted(table), sessionKey, sessionKey));
	}

	/**
	 * A session of which something is noted.
	 *
	 * @param sessionKey its key
	 * @param hasSession whether it is there
	 */
	private record Noted(UUID sessionKey, boolean hasSession) {
	}

}
