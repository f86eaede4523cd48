package dev.agentsessions.postgres;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/** Error codes of PostgreSQL that Spring's exceptions do not distinguish. */
enum SqlState {

	/** A write to a standby, or to a database that was set to read-only. */
	READ_ONLY("25006"),

	/** A row was locked for longer than {@code lock_timeout}. */
	LOCKED("55P03");

	private final String code;

	SqlState(String code) {
		this.code = code;
	}

	/** Whether this error is a cause of a failure. */
	boolean isCauseOf(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = next(cause)) {
			if (cause instanceof SQLException sql && this.code.equals(sql.getSQLState())) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable Throwable next(Throwable failure) {
		return (failure.getCause() != failure) ? failure.getCause() : null;
	}

}
