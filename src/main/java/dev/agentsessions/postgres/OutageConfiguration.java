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

	/** A look costs nothing; the check that may follow is made once a second at most. */
	private static final int MILLIS_BETWEEN_LOOKS = 250;

	@Bean
	static PoolWrapper poolWrapper() {
		return new PoolWrapper();
	}

	@Bean
	DatabaseLooks databaseLooks(DatabaseHealth health) {
		return new DatabaseLooks(health);
	}

	/**
	 * Looks at the database by a thread of its own. It is no bean of the type of an
	 * executor: Spring Boot would use that for all scheduled tasks, and a long purge
	 * would hold up the looks.
	 */
	static final class DatabaseLooks implements AutoCloseable {

		private final ScheduledExecutorService thread;

		DatabaseLooks(DatabaseHealth health) {
			CustomizableThreadFactory threads = new CustomizableThreadFactory("database-look-");
			threads.setDaemon(true);
			this.thread = Executors.newSingleThreadScheduledExecutor(threads);
			this.thread.scheduleWithFixedDelay(health::look, MILLIS_BETWEEN_LOOKS, MILLIS_BETWEEN_LOOKS,
					TimeUnit.MILLISECONDS);
		}

		@Override
		public void close() {
			this.thread.shutdownNow();
		}

	}

	/** Comes before others that may wrap the pool, too. */
	static final class PoolWrapper implements BeanPostProcessor, PriorityOrdered {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof HikariDataSource pool) ? new ImpatientDataSource(pool) : bean;
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
