package dev.agentsessions.postgres;

import java.time.Duration;

import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionDefinition;

/**
 * How long anybody waits for the database: for a statement, for a transaction and for the
 * turn of an append. Drivers count seconds.
 */
@Component
public class DatabaseTimeouts {

	private final Duration duration;

	DatabaseTimeouts(JdbcProperties properties) {
		Duration timeout = properties.getTemplate().getQueryTimeout();
		this.duration = (timeout != null) ? Duration.ofSeconds(timeout.toSeconds()) : Duration.ZERO;
	}

	/** Whether somebody has waited too long. */
	public boolean isOver(long sinceNanoTime) {
		return isLimited() && System.nanoTime() - sinceNanoTime > this.duration.toNanos();
	}

	/** How many nanoseconds somebody may still wait. */
	long nanosLeft(long sinceNanoTime) {
		return isLimited() ? this.duration.toNanos() - (System.nanoTime() - sinceNanoTime) : Long.MAX_VALUE;
	}

	/** The longest time of a transaction. */
	int secondsOfTransaction() {
		return isLimited() ? (int) this.duration.toSeconds() : TransactionDefinition.TIMEOUT_DEFAULT;
	}

	Duration duration() {
		return this.duration;
	}

	private boolean isLimited() {
		return !this.duration.isZero();
	}

}
