package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Deletes some expired sessions with their events and their own state, in the order of
 * their keys. What somebody else is changing or deleting is left to him. There is no
 * index on the end of sessions, which every append would pay for.
 */
@Component
class PurgeStatement {

	/** At most so many sessions go in one transaction. */
	static final int BATCH_SIZE = 100;

	private static final String SQL = """
			with expired as materialized (
			  select session_key from sessions
			  where session_key > ? and expire_time <= statement_timestamp()
			  order by session_key limit ? for update skip locked),
			without_events as (
			  delete from events where session_key in (select session_key from expired)),
			without_state as (
			  delete from state where scope_key in (select session_key from expired)),
			gone as (
			  delete from sessions where session_key in (select session_key from expired))
			select session_key from expired order by session_key
			""";

	private final JdbcTemplate jdbc;

	PurgeStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Deletes the first of those that follow a key.
	 * @return their keys, in order
	 */
	List<UUID> execute(UUID behind) {
		return this.jdbc.query(SQL, (row, number) -> row.getObject("session_key", UUID.class), behind, BATCH_SIZE);
	}

}
