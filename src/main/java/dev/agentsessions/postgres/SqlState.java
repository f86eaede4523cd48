package dev.agentsessions.postgres;

import java.sql.SQLException;

import org.springframework.core.NestedExceptionUtils;

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

	/** Whether this error is the cause of a failure. */
	boolean isCauseOf(Throwable failure) {
		return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
				&& this.code.equals(sql.getSQLState());
	}

}
