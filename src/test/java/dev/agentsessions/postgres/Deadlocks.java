package dev.agentsessions.postgres;

import org.springframework.jdbc.core.JdbcTemplate;

/** Counts deadlocks, which the store would hide by trying again. */
public final class Deadlocks {

	private Deadlocks() {
	}

	/** How many the database has seen. */
	public static long count(JdbcTemplate jdbc) {
		jdbc.execute("select pg_stat_force_next_flush()");
		return jdbc.queryForObject("select deadlocks from pg_stat_database where datname = current_database()",
				Long.class);
	}

}
