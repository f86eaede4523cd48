package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import javax.sql.DataSource;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.SchemaValidationException;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;

/** Flyway makes the schema, and Hibernate finds in it what it maps. */
@PostgresTest
class MigrationTests {

	@Autowired
	private Flyway flyway;

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
			.containsExactly("events", "flyway_schema_history", "sessions", "state");
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

}
