package dev.agentsessions.faults;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.Answer;
import dev.agentsessions.Http;
import dev.agentsessions.embedded.ServiceProcess;

import static org.assertj.core.api.Assertions.assertThat;

/** The service outlives what happens to its database, and says 503 meanwhile. */
@TestInstance(Lifecycle.PER_CLASS)
class DatabaseFaultTests {

	private static final String SESSION = "/apps/a/users/u/sessions/";

	private Database database;

	private ServiceProcess service;

	private ServiceProcess replica;

	private Http http;

	@BeforeAll
	void startsTwoReplicasOnAnEmptyDatabaseAtOnce(@TempDir Path folder) {
		this.database = new Database(folder.resolve("postgres"));
		String[] arguments = this.database.arguments("--spring.datasource.hikari.maximum-pool-size=2",
				"--spring.datasource.hikari.connection-timeout=1000");
		this.service = ServiceProcess.start(folder, arguments);
		this.replica = ServiceProcess.start(folder, arguments);
		this.http = this.service.http();
	}

	@AfterAll
	void stops() {
		this.service.close();
		this.replica.close();
		this.database.close();
	}

	@Test
	void migratesOnceWhenTwoReplicasStartAtTheSameTime() throws SQLException {
		this.http.post(SESSION + "migrated", "{}").ok();
		this.replica.http().get(SESSION + "migrated").ok();
		try (Connection connection = this.database.connect();
				var rows = connection.createStatement()
					.executeQuery(
							"select count(*) = count(distinct version), bool_and(success) from flyway_schema_history")) {
			assertThat(rows.next()).isTrue();
			assertThat(rows.getBoolean(1) && rows.getBoolean(2)).isTrue();
		}
	}

	@Test
	void losesAndDoublesNothingWhenTheDatabaseIsRestarted() {
		Load load = Load.start(this.http);
		load.awaitProgress(20);
		this.database.restart();
		load.awaitProgress(20);
		load.stopAndCompare();
	}

	@Test
	void answers503WhileAllConnectionsAreTakenAndRecovers() throws SQLException {
		this.http.post(SESSION + "starved", "{}").ok();
		List<CompletableFuture<Answer>> reads = new ArrayList<>();
		try (Connection connection = this.database.connect()) {
			connection.setAutoCommit(false);
			connection.createStatement().execute("lock table sessions in access exclusive mode");
			for (int i = 0; i < 6; i++) {
				reads.add(CompletableFuture.supplyAsync(() -> this.http.get(SESSION + "starved")));
			}
			Awaitility.await()
				.atMost(50, TimeUnit.SECONDS)
				.until(() -> reads.stream().filter(CompletableFuture::isDone).count() >= 4);
			connection.rollback();
		}
		List<Answer> answers = reads.stream().map(CompletableFuture::join).toList();
		assertThat(answers).filteredOn((answer) -> answer.status() == 200).hasSizeLessThanOrEqualTo(2);
		assertThat(answers).filteredOn((answer) -> answer.status() != 200)
			.allSatisfy((answer) -> assertThat(answer.problem(503, "UNAVAILABLE").header("Retry-After")).contains("1"));
		this.http.post(SESSION + "starved/events", "{}").ok();
	}

	@Test
	void keepsOrderAndTimeGoingWhenTheClockIsSetBackAnHour() throws SQLException {
		this.http.post(SESSION + "clock", "{}").ok();
		try (Connection connection = this.database.connect()) {
			connection.createStatement()
				.execute("update sessions set last_update_time = now() + interval '1 hour' where id = 'clock'");
		}
		double before = this.http.get(SESSION + "clock").at("/lastUpdateTime").doubleValue();
		Answer first = this.http.post(SESSION + "clock/events", "{}").ok();
		Answer second = this.http.post(SESSION + "clock/events", "{}", "If-Match", first.etag()).ok();
		assertThat(first.at("/lastUpdateTime").doubleValue()).isGreaterThan(before);
		assertThat(second.at("/lastUpdateTime").doubleValue()).isGreaterThan(first.at("/lastUpdateTime").doubleValue());
		assertThat(second.at("/revision").longValue()).isEqualTo(2);
	}

}
