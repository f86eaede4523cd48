package dev.agentsessions.postgres;

/** Somebody held a row for longer than a writer waits at a time. Nothing was written. */
public final class RowLockedException extends RuntimeException {

	RowLockedException(Throwable cause) {
		super("A row is locked", cause);
	}

}
