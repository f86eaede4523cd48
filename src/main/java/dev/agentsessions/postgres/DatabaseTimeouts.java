package dev.agentsessions.postgres;

import java.time.Duration;

import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionDefinition;

/**
 * The time-out of every wait for the database: of a statement, of a transaction, and of
 * an append in the queue. It is in whole seconds, because drivers count seconds. 0 is no
 * limit.
 */
@Component
public class DatabaseTimeouts {

	private final Duration duration;

	DatabaseTimeouts(JdbcProperties properties) {
		Duration timeout = properties.getTemplate().getQueryTimeout();
		this.duration = (timeout != null) ? Duration.ofSeconds(timeout.toSeconds()) : Duration.ZERO;
		if (timeout != null && !timeout.isZero() && timeout.toSeconds() < 1) {
			throw new IllegalArgumentException(
					"spring.jdbc.template.query-timeout must be at least 1s, or 0 for no limit");
		}
	}

	/**
	 * Whether a wait since this time, by {@link System#nanoTime()}, has been too long.
	 */
	public boolean isOver(long sinceNanoTime) {
		return isLimited() && System.nanoTime() - sinceNanoTime > this.duration.toNanos();
	}

	/** Returns the time-out of a transaction in seconds. */
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
