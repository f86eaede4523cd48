package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Http;

/**
 * The health endpoints soon show that the database is away, even if it accepts
 * connections and does not respond.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class HealthTests {

	private static final String READINESS = "/actuator/health/readiness";

	/** Far less than a request waits for a connection or a statement. */
	private static final Duration SOON = Duration.ofSeconds(5);

	private Database database;

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void start(@TempDir Path folder) {
		this.database = new Database(folder.resolve("postgres"));
		this.service = ServiceProcess.start(folder,
				this.database.arguments("--spring.datasource.hikari.maximum-pool-size=2"));
		this.http = this.service.http();
		this.http.post("/apps/a/users/u/sessions/s", "{}").ok();
	}

	@AfterAll
	void stop() {
		this.service.close();
		this.database.close();
	}

	@Test
	void isNotReadyWhileTheDatabaseIsAway() {
		assertIsReady();
		String logBefore = this.service.log();
		this.database.close();
		assertIsNotReady();
		this.database.restart();
		assertIsReady();
		String log = this.service.log().substring(logBefore.length());
		assertThat(log.lines().filter((line) -> line.contains("DatabaseHealth"))).hasSize(2)
			.noneMatch((line) -> line.startsWith("\tat "));
	}

	@Test
	void isNotReadyWhileTheDatabaseIsFrozen() throws IOException, InterruptedException {
		assertIsReady();
		this.database.signal("-STOP");
		try {
			assertIsNotReady();
		}
		finally {
			this.database.signal("-CONT");
		}
		assertIsReady();
	}

	@Test
	void isReadyWhileAllConnectionsAreBusy() throws Exception {
		try (var connection = this.database.connect()) {
			connection.setAutoCommit(false);
			connection.createStatement().execute("lock table sessions in access exclusive mode");
			read("/apps/a/users/u/sessions/s");
			awaitWaiting(1);
			// A read after the first has started, because reads at one moment share a
			// connection
			read("/apps/a/users/u/sessions/s");
			awaitWaiting(2);
			assertThat(this.http.get(READINESS).status()).isEqualTo(200);
			connection.rollback();
		}
	}

	private void read(String path) {
		new Thread(() -> this.http.get(path)).start();
	}

	private void awaitWaiting(int count) {
		Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> {
			try (var connection = this.database.connect();
					var rows = connection.createStatement()
						.executeQuery("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")) {
				return rows.next() && rows.getInt(1) >= count;
			}
		});
	}

	private void assertIsReady() {
		Awaitility.await()
			.atMost(30, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.http.get(READINESS).status()).isEqualTo(200));
		assertThat(this.http.get("/actuator/health").status()).isEqualTo(200);
	}

	private void assertIsNotReady() {
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.http.get(READINESS).body()).isEqualTo("{\"status\":\"DOWN\"}"));
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.http.get("/actuator/health").status()).isEqualTo(503));
		assertThat(this.http.get("/actuator/health/liveness").status()).isEqualTo(200);
	}

}
