package dev.agentsessions.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.hibernate.jpa.SpecHints;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import dev.agentsessions.postgres.Lanes.AppendProperties;
import dev.agentsessions.postgres.Lanes.Callers;
import dev.agentsessions.postgres.Placement.OnOneMachine;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.SessionProperties.LimitProperties;

/**
 * Configures time-outs for every database call. All follow from one setting,
 * {@code spring.jdbc.template.query-timeout}. The driver measures it and sends nothing to
 * the server in advance: this costs no round trip, and works with a pool between the
 * service and the database.
 */
@Configuration(proxyBeanMethods = false)
public class DatabaseConfiguration {

	private static final String SOCKET_TIMEOUT = "socketTimeout";

	/**
	 * How long a server has to confirm that it has cancelled a statement, before its
	 * connection is closed.
	 */
	private static final Duration GRACE = Duration.ofSeconds(10);

	/**
	 * Divides the connections of the pool. No connections are for groups of appends where
	 * each append is stored alone.
	 */
	@Bean
	Lanes lanes(DataSource dataSource, DatabaseTimeouts timeouts, AppendProperties properties, Placement placement,
			Callers callers, MeterRegistry registry) throws SQLException {
		HikariDataSource pool = dataSource.unwrap(HikariDataSource.class);
		return Lanes.of(pool.getMaximumPoolSize(), placement.changesSessionsTogether() ? properties.writers() : 0,
				timeouts.duration(), Duration.ofMillis(pool.getConnectionTimeout()), callers, registry);
	}

	@Bean
	Callers callers(LimitProperties limits, AccessPolicy access) {
		return new Callers(limits.heavyShare(), access::beneficiary);
	}

	/** Time-out of Hibernate queries outside of transactions. */
	@Bean
	HibernatePropertiesCustomizer queryTimeout(DatabaseTimeouts timeouts) {
		return (properties) -> properties.put(SpecHints.HINT_SPEC_QUERY_TIMEOUT,
				Math.toIntExact(timeouts.duration().toMillis()));
	}

	@Bean
	static BeanPostProcessor connectionSettings(Environment environment) {
		return beforeStart((pool) -> addSocketTimeout(pool, environment));
	}

	/** Covers a server that no longer responds and so cannot cancel the statement. */
	private static void addSocketTimeout(HikariDataSource pool, Environment environment) {
		Duration timeout = environment.getProperty("spring.jdbc.template.query-timeout", Duration.class, Duration.ZERO);
		if (!timeout.isZero()) {
			pool.getDataSourceProperties().putIfAbsent(SOCKET_TIMEOUT, Long.toString(timeout.plus(GRACE).toSeconds()));
		}
	}

	/**
	 * Lets PostgreSQL plan each prepared statement once. By itself it would plan appends
	 * and reads anew at each execution, which takes longer than the execution. Citus
	 * needs the values to find the machine of a row, and fails with such a plan.
	 */
	@Bean
	@OnOneMachine
	static BeanPostProcessor keptPlans() {
		return beforeStart((pool) -> pool
			.setConnectionInitSql(pool.getConnectionInitSql() + "; set plan_cache_mode = force_generic_plan"));
	}

	/** Changes the settings of the pool before it has connections. */
	public static BeanPostProcessor beforeStart(Consumer<HikariDataSource> change) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessBeforeInitialization(Object bean, String beanName) {
				if (bean instanceof HikariDataSource pool) {
					change.accept(pool);
				}
				return bean;
			}

		};
	}

	/**
	 * Refuses the schema of another version where the replica does not migrate, as a
	 * migration does. The context of an image's training run stands without a database.
	 */
	@Bean
	@ConditionalOnBooleanProperty(name = "spring.flyway.enabled", havingValue = false)
	SmartLifecycle schemaCheck(DataSource dataSource, Environment environment) {
		return new SchemaCheck(Flyway.configure()
			.dataSource(dataSource)
			.table(environment.getProperty("spring.flyway.table", "flyway_schema_history"))
			.defaultSchema(environment.getProperty("spring.flyway.default-schema"))
			.ignoreMigrationPatterns(new String[0]));
	}

	/** Migrations have no time-out. */
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

	/** Checks the schema before anything else starts. */
	private record SchemaCheck(FluentConfiguration schema) implements StartCheck {

		@Override
		public int getPhase() {
			return Integer.MIN_VALUE;
		}

		@Override
		public void start() {
			this.schema.load().validate();
		}

	}

	/** Checks something before the service starts. There is nothing to stop. */
	public interface StartCheck extends SmartLifecycle {

		@Override
		default void stop() {
		}

		@Override
		default boolean isRunning() {
			return false;
		}

	}

}
