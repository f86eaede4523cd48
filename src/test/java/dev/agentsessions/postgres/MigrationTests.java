package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.SQLException;

import javax.sql.DataSource;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.SchemaValidationException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Flyway makes the schema, and Hibernate finds in it what it maps. */
@PostgresTest
class MigrationTests {

	@Autowired
	private Flyway flyway;

	@Autowired
	private FlywayConfigurationCustomizer patientMigrations;

	@Autowired
	private JdbcConnectionDetails server;

	@Autowired
	private EntityManagerFactory entityManagerFactory;

	@Autowired
	private JdbcTemplate jdbc;

	@Test
	void migratesAnEmptyDatabaseOnce() {
		DataSource empty = NewDatabase.create(this.server);
		Flyway migration = Flyway.configure().configuration(this.flyway.getConfiguration()).dataSource(empty).load();
		assertThat(migration.migrate().migrationsExecuted).isPositive();
		assertThat(migration.migrate().migrationsExecuted).isZero();
		assertThat(new JdbcTemplate(empty).queryForList(
				"select table_name from information_schema.tables where table_schema = 'public' order by 1",
				String.class))
			.containsExactly("event_marks", "events", "flyway_schema_history", "initial_state", "pending_calls",
					"secrets", "sessions", "state");
	}

	@Test
	void letsAMigrationTakeLongerThanAStatement() {
		DriverManagerDataSource empty = NewDatabase.create(this.server);
		empty.setUrl(empty.getUrl() + "&socketTimeout=1");
		FluentConfiguration configuration = Flyway.configure()
			.dataSource(empty)
			.locations("classpath:nowhere")
			.javaMigrations(new V1__Slow());
		this.patientMigrations.customize(configuration);
		assertThat(configuration.load().migrate().migrationsExecuted).isOne();
	}

	@Test
	void leavesNoMigrationToDo() {
		assertThat(this.flyway.info().pending()).isEmpty();
		assertThatCode(this.flyway::validate).doesNotThrowAnyException();
	}

	@Test
	void makesWhatTheEntitiesMap() {
		assertThat(this.entityManagerFactory.getProperties()).containsEntry("hibernate.hbm2ddl.auto", "validate");
		assertThatCode(this.entityManagerFactory.getSchemaManager()::validate).doesNotThrowAnyException();
	}

	@Test
	void isFoundOutIfAColumnIsMissing() {
		this.jdbc.execute("alter table events rename column author to writer");
		try {
			assertThatExceptionOfType(SchemaValidationException.class)
				.isThrownBy(this.entityManagerFactory.getSchemaManager()::validate);
		}
		finally {
			this.jdbc.execute("alter table events rename column writer to author");
		}
	}

	/** Takes longer than the network may be silent. */
	static final class V1__Slow extends BaseJavaMigration {

		@Override
		public void migrate(Context context) throws SQLException {
			context.getConnection().createStatement().execute("select pg_sleep(2)");
		}

	}

}
