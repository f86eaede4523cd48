package dev.agentsessions.embedded;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** PostgreSQL did not start on its data folder. */
class DatabaseNotStartedException extends RuntimeException {

	private final transient List<String> lastLines;

	/**
	 * Creates the exception.
	 * @param log the log file of PostgreSQL
	 * @param lastLines the last lines of the log
	 */
	DatabaseNotStartedException(Path log, List<String> lastLines, @Nullable Throwable cause) {
		super("PostgreSQL did not start. Its log is " + log, cause);
		this.lastLines = lastLines;
	}

	List<String> lastLines() {
		return this.lastLines;
	}

}
