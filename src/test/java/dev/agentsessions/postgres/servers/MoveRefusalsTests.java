package dev.agentsessions.postgres.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.agentsessions.postgres.NewDatabase;
import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.postgres.servers.MoveCommand.Result;
import dev.agentsessions.postgres.servers.MoveConnections.MoveConnection;

/** When the command moves nothing. */
@PostgresTest
@TestInstance(Lifecycle.PER_CLASS)
class MoveRefusalsTests {

	private final JdbcConnectionDetails server;

	private final DriverManagerDataSource main;

	private final DriverManagerDataSource other;

	MoveRefusalsTests(JdbcConnectionDetails server) {
		this.server = server;
		this.main = migrated();
		this.other = migrated();
	}

	private DriverManagerDataSource migrated() {
		DriverManagerDataSource database = NewDatabase.create(this.server);
		Flyway.configure().dataSource(database).load().migrate();
		return database;
	}

	@ParameterizedTest
	@ValueSource(strings = { "256", "3-1", "all", "" })
	void refusesWhatNamesNoBuckets(String buckets) {
		assertRefused(run(buckets, "b"), "'" + buckets + "' names no buckets");
	}

	@ParameterizedTest
	@ValueSource(strings = { "c", "" })
	void refusesAServerThatTheSettingsDoNotName(String to) {
		assertRefused(run("7", to), "The settings have no server '" + to + "'. They have main, b.");
	}

	@Test
	void refusesBucketsOnAServerThatTheSettingsDoNotName() {
		JdbcTemplate jdbc = new JdbcTemplate(this.main);
		jdbc.update("insert into buckets values (7, 'gone')");
		assertRefused(run("0-7", "b"), "no server 'gone'");
		jdbc.update("delete from buckets");
	}

	@Test
	void refusesServersThatAReplicaUses() throws SQLException {
		for (DriverManagerDataSource used : new DriverManagerDataSource[] { this.main, this.other }) {
			try (Connection replica = connect(used, "agent-sessions")) {
				assertThat(replica.isValid(0)).isTrue();
				assertRefused(run("7", "b"), "1 connections of replicas");
				assertRefused(run("7", "main"), "Stop these replicas first.");
			}
		}
	}

	@Test
	void refusesServersThatAReplicaOfAnotherNameUses() throws SQLException {
		try (Connection replica = connect(this.main, "stored")) {
			assertThat(replica.isValid(0)).isTrue();
			assertRefused(run("7", "b", "--spring.application.name=stored"), "(application_name 'stored')");
		}
	}

	@Test
	void refusesToRunTwice() throws SQLException {
		try (Connection move = connect(this.other, MoveConnection.APPLICATION)) {
			assertThat(move.isValid(0)).isTrue();
			assertRefused(run("7", "b"), "Server b has another connection");
		}
	}

	@Test
	void refusesTwoNamesOfOneDatabase() {
		Result result = new MoveCommand(this.main, this.main).run("7", "b");
		assertRefused(result, "two servers of the settings are the same database");
	}

	@Test
	void refusesAnotherVersionOfTheTables() {
		JdbcTemplate jdbc = new JdbcTemplate(this.other);
		jdbc.update("update flyway_schema_history set success = false where version = '23'");
		assertRefused(run("7", "b"), "The tables of server b have version 22, and this program needs 23.");
		jdbc.update("update flyway_schema_history set success = true");
		assertRefused(new MoveCommand(this.main, NewDatabase.create(this.server)).run("7", "b"),
				"The tables of server b have version 0");
	}

	/** Otherwise the rows of its users would be deleted. */
	@Test
	void refusesTheMainServerUnderAnotherName() {
		JdbcTemplate jdbc = new JdbcTemplate(this.other);
		jdbc.update("insert into buckets values (200, 'b')");
		assertRefused(run("7", "b"), "Server b has rows in the table 'buckets', so it is the main server.");
		jdbc.update("delete from buckets");
	}

	@Test
	void refusesWhileAChangeOfTheStateOfAnAppIsNotOnAllServers() {
		JdbcTemplate jdbc = new JdbcTemplate(this.main);
		jdbc.update(
				"insert into app_state_changes (app_name, source, keys, missing) values ('a', 'main', '{k}', '{b}')");
		assertRefused(run("7", "b"), "1 changes of the state of apps");
		jdbc.update("delete from app_state_changes");
	}

	@Test
	void refusesAServerThatDoesNotAnswer() {
		DriverManagerDataSource nowhere = new DriverManagerDataSource("jdbc:postgresql://localhost:1/none");
		assertRefused(new MoveCommand(this.main, nowhere).run("7", "b"), "Server b cannot be used: Connection to");
	}

	@Test
	void movesAnEmptyBucket() {
		assertThat(run("7", "b").err()).isEmpty();
		assertThat(run("7", "main").out()).contains("Bucket 7 is on main instead of b: 0 sessions, 0 events, ");
	}

	private Result run(String buckets, String to, String... more) {
		return new MoveCommand(this.main, this.other).run(buckets, to, more);
	}

	/** The reason is the only text. */
	private void assertRefused(Result result, String reason) {
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.err()).contains(reason).hasLineCount(1);
		assertThat(result.out()).isEmpty();
	}

	private static Connection connect(DriverManagerDataSource database, String application) throws SQLException {
		Properties properties = new Properties();
		properties.setProperty("user", String.valueOf(database.getUsername()));
		properties.setProperty("password", String.valueOf(database.getPassword()));
		properties.setProperty("ApplicationName", application);
		return DriverManager.getConnection(String.valueOf(database.getUrl()), properties);
	}

}
