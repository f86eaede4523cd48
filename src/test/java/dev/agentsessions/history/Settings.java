package dev.agentsessions.history;

import org.jspecify.annotations.Nullable;

/**
 * How long and how hard is checked, from system properties; {@code benchmark/check} sets
 * them.
 *
 * @param seconds for how long
 * @param seed what the requests are made from
 * @param replicas how many replicas serve them
 * @param kills whether replicas and database are killed
 * @param database the JDBC URL of a database, {@code null} for a new PostgreSQL
 */
record Settings(int seconds, long seed, int replicas, boolean kills, @Nullable String database) {

	static Settings ofSystem() {
		return new Settings(Integer.getInteger("history.seconds", 15), Long.getLong("history.seed", System.nanoTime()),
				Integer.getInteger("history.replicas", 2), Boolean.getBoolean("history.kills"),
				System.getProperty("history.database"));
	}

}
