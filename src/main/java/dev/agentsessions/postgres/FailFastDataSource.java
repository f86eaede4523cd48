package dev.agentsessions.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Returns connections of the pool. While the database is known to be away, it refuses
 * callers at once, also callers that are waiting already. The pool alone would let each
 * of them wait until its time-out.
 */
final class FailFastDataSource extends DelegatingDataSource {

	private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

	private volatile boolean away;

	FailFastDataSource(DataSource pool) {
		super(pool);
	}

	@Override
	public Connection getConnection() throws SQLException {
		Waiter waiter = new Waiter();
		this.waiters.add(waiter);
		try {
			// After the waiter was added: so either this check or setAway() sees the
			// other
			refuseWhileAway();
			return super.getConnection();
		}
		catch (SQLException ex) {
			refuseWhileAway();
			throw ex;
		}
		finally {
			this.waiters.remove(waiter);
			waiter.end();
		}
	}

	private void refuseWhileAway() throws SQLException {
		if (this.away) {
			throw new AwayException();
		}
	}

	boolean isAway() {
		return this.away;
	}

	void setAway(boolean away) {
		this.away = away;
		if (away) {
			this.waiters.forEach(Waiter::interrupt);
		}
	}

	/** The caller is refused because the database is known to be away. */
	static final class AwayException extends SQLTransientConnectionException {

		private static final long serialVersionUID = 1L;

		AwayException() {
			super("The database is away");
		}

	}

	/** A thread that may wait for a connection. */
	private static final class Waiter {

		/** Guarded by this. {@code null} once it has ended. */
		private @Nullable Thread thread = Thread.currentThread();

		/** Guarded by this. */
		private boolean interrupted;

		synchronized void interrupt() {
			if (this.thread != null) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}

		/** Clears an interrupt, so that it does not affect what the thread does next. */
		synchronized void end() {
			this.thread = null;
			if (this.interrupted) {
				Thread.interrupted();
			}
		}

	}

}
