package dev.agentsessions.postgres;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/** What PostgreSQL says of a failure, where Spring's exceptions say too little. */
enum SqlState {

	/** A write to a standby, or to a database that somebody has set read-only. */
	READ_ONLY("25006"),

	/** A row is locked, for longer than {@code lock_timeout}. */
	LOCKED("55P03");

	private final String code;

	SqlState(String code) {
		this.code = code;
	}

	/** Whether it is behind a failure. */
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
