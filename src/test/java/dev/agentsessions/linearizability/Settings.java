package dev.agentsessions.linearizability;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * How long and how hard is checked, from system properties; {@code benchmark/check} sets
 * them.
 *
 * @param seconds for how long
 * @param seed what the requests are made from
 * @param replicas how many replicas serve them
 * @param kills whether replicas and database are killed
 * @param mix what clients do most, empty for each mix in its turn
 * @param database the JDBC URL of a database, {@code null} for a new PostgreSQL
 */
record Settings(int seconds, long seed, int replicas, boolean kills, Optional<Mix> mix, @Nullable String database) {

	static Settings ofSystem() {
		return new Settings(Integer.getInteger("history.seconds", 8), Long.getLong("history.seed", System.nanoTime()),
				Integer.getInteger("history.replicas", 2), Boolean.getBoolean("history.kills"),
				Optional.ofNullable(System.getProperty("history.mix")).map(Mix::valueOf),
				System.getProperty("history.database"));
	}

	/**
	 * How long sessions that have expired may still have rows. Writes have to meet their
	 * removal, which comes at once; a search has to meet the rows.
	 */
	String purgeInterval() {
		return this.mix.equals(Optional.of(Mix.SEARCHES)) ? "100ms" : "10ms";
	}

	/** Makes names of apps that were never used in a database that was there before. */
	String suffix() {
		return (this.database != null) ? "-" + Long.toString(System.currentTimeMillis(), 36) : "";
	}

}
