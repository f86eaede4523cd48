package dev.agentsessions.postgres.memory;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Advisory locks of a transaction on the index of what was said and on facts. They keep
 * no append waiting. Two keys may share a lock, which then only waits.
 */
@Component
public class IndexLocks {

	private static final String LOCK = "select pg_advisory_xact_lock(?)";

	/** Separates these locks from other advisory locks on the same keys. */
	private static final long PURPOSE = 0x5a1d_0001L;

	private final JdbcTemplate jdbc;

	IndexLocks(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Waits for other writers under a key, and keeps others from it.
	 * @param key of a session, of a scope of facts, or of the id of a fact in an app
	 */
	public void lock(UUID key) {
		long number = (key.getMostSignificantBits() ^ key.getLeastSignificantBits()) * 31 + PURPOSE;
		this.jdbc.query(LOCK, (row) -> {
		}, number);
	}

}
