package dev.agentsessions.postgres.search;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Advisory locks of a transaction, one for each session, on the index of what was said.
 * They keep no append waiting. Two sessions may share a lock, which then only waits.
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

	/** Waits for other writers of the index of a session, and keeps others from it. */
	public void lock(UUID sessionKey) {
		long number = (sessionKey.getMostSignificantBits() ^ sessionKey.getLeastSignificantBits()) * 31 + PURPOSE;
		this.jdbc.query(LOCK, (row) -> {
		}, number);
	}

}
