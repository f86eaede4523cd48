package dev.agentsessions.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Refuses requests at once while the database is away. */
@Configuration(proxyBeanMethods = false)
class OutageConfiguration {

	/**
	 * Interval of the calls of {@link DatabaseHealth#checkIfDue}, which starts one check
	 * a second at most.
	 */
	private static final int CHECK_INTERVAL_MILLIS = 250;

	@Bean
	static PoolWrapper poolWrapper() {
		return new PoolWrapper();
	}

	@Bean
	DatabaseChecks databaseChecks(DatabaseHealth health) {
		return new DatabaseChecks(health);
	}

	/**
	 * Calls {@link DatabaseHealth#checkIfDue} in a thread of its own. It is not a bean of
	 * the type of an executor: Spring Boot would use such a bean for all scheduled tasks,
	 * and a long purge would delay the checks.
	 */
	static final class DatabaseChecks implements AutoCloseable {

		private final ScheduledExecutorService thread;

		DatabaseChecks(DatabaseHealth health) {
			CustomizableThreadFactory threads = new CustomizableThreadFactory("database-check-");
			threads.setDaemon(true);
			this.thread = Executors.newSingleThreadScheduledExecutor(threads);
			this.thread.scheduleWithFixedDelay(health::checkIfDue, CHECK_INTERVAL_MILLIS, CHECK_INTERVAL_MILLIS,
					TimeUnit.MILLISECONDS);
		}

		@Override
		public void close() {
			this.thread.shutdownNow();
		}

	}

	/** Wraps the pool before other post processors do. */
	static final class PoolWrapper implements BeanPostProcessor, PriorityOrdered {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof HikariDataSource pool) ? new FailFastDataSource(pool) : bean;
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	/**
	 * Returns connections of the pool. While the database is known to be away, it refuses
	 * callers at once, also callers that are waiting already. The pool alone would let
	 * each of them wait until its time-out.
	 */
	static final class FailFastDataSource extends DelegatingDataSource {

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

			/**
			 * Clears an interrupt, so that it does not affect what the thread does next.
			 */
			synchronized void end() {
				this.thread = null;
				if (this.interrupted) {
					Thread.interrupted();
				}
			}

		}

	}

}
