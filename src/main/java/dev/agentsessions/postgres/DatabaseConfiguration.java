package dev.agentsessions.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import org.hibernate.jpa.SpecHints;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Sees to it that nobody waits for the database for ever. One setting says how long,
 * {@code spring.jdbc.template.query-timeout}; the driver keeps to it without a word to
 * the server, so it costs no round trip, and a pool between us and the database need not
 * know of it.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

	private static final String SOCKET_TIMEOUT = "socketTimeout";

	/**
	 * A server that is there has this long to say that it gave a statement up, before it
	 * is taken for gone.
	 */
	private static final Duration GRACE = Duration.ofSeconds(10);

	/** For queries of Hibernate outside of transactions. */
	@Bean
	HibernatePropertiesCustomizer queryTimeout(DatabaseTimeouts timeouts) {
		return (properties) -> properties.put(SpecHints.HINT_SPEC_QUERY_TIMEOUT,
				Math.toIntExact(timeouts.duration().toMillis()));
	}

	/**
	 * For a server that has vanished without a word: nobody is there to give a statement
	 * up.
	 */
	@Bean
	static BeanPostProcessor socketTimeout(Environment environment) {
		Duration timeout = environment.getProperty("spring.jdbc.template.query-timeout", Duration.class, Duration.ZERO);
		return new BeanPostProcessor() {

			@Override
			public Object postProcessBeforeInitialization(Object bean, String beanName) {
				if (bean instanceof HikariDataSource pool && !timeout.isZero()) {
					pool.getDataSourceProperties()
						.putIfAbsent(SOCKET_TIMEOUT, Long.toString(timeout.plus(GRACE).toSeconds()));
				}
				return bean;
			}

		};
	}

	/** A schema that a newer version has made is not served: nobody here knows it. */
	@Bean
	FlywayConfigurationCustomizer knownSchema() {
		return (flyway) -> flyway.ignoreMigrationPatterns(new String[0]);
	}

	/** A migration may take as long as it needs. */
	@Bean
	FlywayConfigurationCustomizer patientMigrations() {
		return (flyway) -> flyway.dataSource(new DelegatingDataSource(flyway.getDataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				connection.setNetworkTimeout(Runnable::run, 0);
				return connection;
			}

		});
	}

}
