package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;

/** The service outlives what happens to its database, and says 503 meanwhile. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class DatabaseFaultTests {

	private static final String SESSION = "/apps/a/users/u/sessions/";

	/** More of them, or the same again: -Dfaults.rounds=500 -Dfaults.seed=... */
	private static final int CUTS = Integer.getInteger("faults.rounds", 50);

	private static final int SEED = Integer.getInteger("faults.seed", (int) System.nanoTime());

	private Database database;

	/** Stands between the replica and the database. */
	private Proxy proxy;

	private ServiceProcess service;

	private ServiceProcess replica;

	private Http http;

	@BeforeAll
	void startsTwoReplicasOnAnEmptyDatabaseAtOnce(@TempDir Path folder) {
		this.database = new Database(folder.resolve("postgres"));
		this.proxy = new Proxy(this.database.port());
		this.service = start(folder, this.database.port());
		this.replica = start(folder, this.proxy.port());
		this.http = this.service.http();
	}

	private static ServiceProcess start(Path folder, int databasePort) {
		List<String> arguments = new ArrayList<>(Database.arguments(databasePort, ""));
		arguments.add("--spring.datasource.hikari.maximum-pool-size=2");
		arguments.add("--spring.datasource.hikari.connection-timeout=1000");
		arguments.add("--spring.jdbc.template.query-timeout=10s");
		arguments.add("--agent-sessions.append.waiting-size=20KB");
		return ServiceProcess.start(folder, arguments.toArray(String[]::new));
	}

	@AfterAll
	void stops() {
		this.service.close();
		this.replica.close();
		this.proxy.close();
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
	void losesAndDoublesNothingWhenConnectionsToTheDatabaseAreCut() {
		Load load = Load.start(this.replica.http());
		load.awaitProgress(1);
		this.proxy.setFault(Fault.cutOnceIn(8, new Random(SEED)));
		Awaitility.await("seed " + SEED)
			.atMost(10, TimeUnit.MINUTES)
			.until(() -> this.proxy.cutAnswers().size() >= CUTS);
		this.proxy.setFault(Fault.NONE);
		load.awaitProgress(5);
		load.stopAndCompare();
	}

	@Test
	void servesAllWhileTheDatabaseIsSlow() {
		this.replica.http().post(SESSION + "slow", "{}").ok();
		this.proxy.setFault(Fault.delay(100));
		List<CompletableFuture<Answer>> appends = appendAtOnce(this.replica.http(), SESSION + "slow", 8);
		assertThat(appends).extracting(CompletableFuture::join).allSatisfy(Answer::ok);
		this.proxy.setFault(Fault.NONE);
		assertThat(this.http.get(SESSION + "slow").at("/events")).hasSize(8);
	}

	private static List<CompletableFuture<Answer>> appendAtOnce(Http http, String session, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> http.post(session + "/events", "{}"),
					(task) -> new Thread(task).start()))
			.toList();
	}

	@Test
	void answers503WhileTooManyAppendsWait() throws SQLException {
		this.http.post(SESSION + "queue", "{}").ok();
		List<CompletableFuture<Answer>> appends;
		try (Connection connection = this.database.connect()) {
			connection.setAutoCommit(false);
			connection.createStatement().execute("lock table sessions in access exclusive mode");
			appends = appendAtOnce(this.http, SESSION + "queue", 30);
			// Two writers hold at most 8 each, and 8 wait
			Awaitility.await()
				.atMost(50, TimeUnit.SECONDS)
				.until(() -> appends.stream().filter(CompletableFuture::isDone).count() >= 30 - 3 * 8);
			connection.rollback();
		}
		List<Answer> answers = appends.stream().map(CompletableFuture::join).toList();
		assertThat(answers).filteredOn((answer) -> answer.status() != 200)
			.allSatisfy((answer) -> assertThat(answer.problem(503, "UNAVAILABLE").header("Retry-After")).contains("1"));
		assertThat(this.http.get(SESSION + "queue").at("/events"))
			.hasSize((int) answers.stream().filter((answer) -> answer.status() == 200).count());
	}

	@Test
	void answers503WhileAllConnectionsAreTakenAndRecovers() throws SQLException {
		this.http.post(SESSION + "starved", "{}").ok();
		List<CompletableFuture<Answer>> reads = new ArrayList<>();
		try (Connection connection = this.database.connect()) {
			connection.setAutoCommit(false);
			connection.createStatement().execute("lock table sessions in access exclusive mode");
			for (int i = 0; i < 6; i++) {
				reads.add(CompletableFuture.supplyAsync(() -> this.http.get(SESSION + "starved"),
						(task) -> new Thread(task).start()));
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
