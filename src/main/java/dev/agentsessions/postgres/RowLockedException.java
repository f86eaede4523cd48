package dev.agentsessions.postgres;

/**
 * Another transaction kept a row locked for longer than the lock time-out. Nothing was
 * written.
 */
public final class RowLockedException extends RuntimeException {

	public RowLockedException(Throwable cause) {
		super("A row is locked", cause);
	}

}
