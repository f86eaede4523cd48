package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.SQLException;

import java.util.UUID;

import javax.sql.DataSource;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.SchemaValidationException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.agentsessions.support.LogsErrors;

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
			.containsExactly("app_state_changes", "artifact_blobs", "artifact_chunks", "artifact_versions", "artifacts",
					"buckets", "events", "flyway_schema_history", "forgotten", "initial_state", "keys_to_sweep",
					"memories", "pending_calls", "replicas", "said", "said_sessions", "said_vectors", "secrets",
					"sessions", "signed_out_cookies", "state");
	}

	/** A database as an older version has left it. */
	@Test
	void findsWhatEventsMeanThatAnOlderVersionHasStored() {
		DataSource old = NewDatabase.create(this.server);
		JdbcTemplate database = new JdbcTemplate(old);
		migrate(old, "8");
		database
			.update("""
					insert into sessions (session_key, app_key, user_key, app_name, user_id, id, revision, noted_seq, has_marks,
					  create_time, last_update_time, initial_state_kept)
					select md5(n::text)::uuid, gen_random_uuid(), gen_random_uuid(), 'a', 'u', 's' || n, 3, 3, true, now(), now(), n = 2
					from generate_series(1, 2) as n""");
		database.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select md5(n::text)::uuid, seq, 'e' || seq, now(), now(), 'a', 'i', 2,
				  ('{"text":"\\u0000","actions":{"stateDelta":{"k' || seq || '\\\\":"\\u0000"}}}')::json
				from generate_series(1, 2) as n, generate_series(1, 3) as seq""");
		database.update("insert into event_marks (session_key, since_seq, kind, first_seq, last_seq) "
				+ "values (md5('1')::uuid, 2, 'rewound', 1, 2)");
		database.update("""
				insert into state (scope_key, key, value) select md5(n::text)::uuid, key, '"\\u0000"'::json
				from generate_series(1, 2) as n, unnest(array['k1\\', 'k3', 'own']) as key""");
		migrate(old, "9");
		assertThat(database.queryForList("select seq from events where kind & 12 <> 0", Long.class))
			.containsExactly(2L);
		assertThat(database.queryForList("select key from initial_state where session_key = md5('1')::uuid order by 1",
				String.class))
			.containsExactly("k3", "own");
		assertThat(database.queryForObject("select count(*) from initial_state", Integer.class)).isEqualTo(2);
	}

	/** As deletions beside saves have left it in an older version. */
	@Test
	void givesVersionsOfArtifactsTheirNames() {
		DataSource old = NewDatabase.create(this.server);
		JdbcTemplate database = new JdbcTemplate(old);
		migrate(old, "20");
		UUID key = UUID.randomUUID();
		database.update("""
				insert into artifact_versions (user_key, scope_key, name, version, after_seq, create_time, kind, size)
				select ?, ?, name, version, 0, now(), 0, 0
				from unnest(array['absent', 'low', 'whole']) as name, generate_series(0, 2) as version""", key, key);
		database.update("insert into artifacts values (?, ?, 'low', 1), (?, ?, 'whole', 7)", key, key, key, key);
		migrate(old, "21");
		assertThat(
				database.queryForList("select name || ' ' || next_version from artifacts order by name", String.class))
			.containsExactly("absent 3", "low 3", "whole 7");
	}

	@Test
	@LogsErrors
	void refusesADatabaseThatAnOlderVersionHasNotLookedThrough() {
		DataSource old = NewDatabase.create(this.server);
		migrate(old, "8");
		new JdbcTemplate(old)
			.update("""
					insert into sessions (session_key, app_key, user_key, app_name, user_id, id, revision, create_time, last_update_time)
					values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'a', 'u', 's', 1, now(), now())""");
		assertThatExceptionOfType(FlywayException.class).isThrownBy(() -> migrate(old, "9"))
			.withMessageContaining("Start version 0.1.0 once");
	}

	@Test
	void refusesTheSchemaOfANewerVersion() {
		DataSource database = NewDatabase.create(this.server);
		Flyway migration = Flyway.configure().configuration(this.flyway.getConfiguration()).dataSource(database).load();
		migration.migrate();
		new JdbcTemplate(database).update("""
				insert into flyway_schema_history
				select installed_rank + 1, '999', 'newer', type, 'V999__newer.sql', 1, installed_by, now(), 1, true
				from flyway_schema_history order by installed_rank desc limit 1""");
		assertThatExceptionOfType(FlywayValidateException.class).isThrownBy(migration::migrate);
	}

	private void migrate(DataSource database, String version) {
		Flyway.configure()
			.configuration(this.flyway.getConfiguration())
			.dataSource(database)
			.target(version)
			.load()
			.migrate();
	}

	@Test
	void migrationsHaveNoNetworkTimeout() {
		DriverManagerDataSource empty = NewDatabase.create(this.server);
		empty.setUrl(empty.getUrl() + "&socketTimeout=1");
		FluentConfiguration configuration = Flyway.configure()
			.dataSource(empty)
			.locations("classpath:nowhere")
			.javaMigrations(new V1__NetworkTimeout());
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

	/** Succeeds if the network may be silent for any time. */
	static final class V1__NetworkTimeout extends BaseJavaMigration {

		@Override
		public void migrate(Context context) throws SQLException {
			assertThat(context.getConnection().getNetworkTimeout()).isZero();
		}

	}

}
