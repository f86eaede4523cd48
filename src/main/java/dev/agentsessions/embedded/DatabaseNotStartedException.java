package dev.agentsessions.embedded;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** PostgreSQL did not start on its folder. */
class DatabaseNotStartedException extends RuntimeException {

	private final transient List<String> words;

	/**
	 * Creates the exception.
	 * @param log where PostgreSQL writes what it says
	 * @param words its last lines
	 */
	DatabaseNotStartedException(Path log, List<String> words, @Nullable Throwable cause) {
		super("PostgreSQL did not start. Its log is " + log, cause);
		this.words = words;
	}

	/** What PostgreSQL said last. */
	List<String> words() {
		return this.words;
	}

}
