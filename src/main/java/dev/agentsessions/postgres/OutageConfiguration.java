package dev.agentsessions.postgres;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
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

}
