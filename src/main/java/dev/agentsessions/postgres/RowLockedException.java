package dev.agentsessions.postgres;

/**
 * Another transaction kept a row locked for longer than
 * {@link Transactions#LOCK_TIMEOUT}. Nothing was written.
 */
public final class RowLockedException extends RuntimeException {

	RowLockedException(Throwable cause) {
		super("A row is locked", cause);
	}

}
