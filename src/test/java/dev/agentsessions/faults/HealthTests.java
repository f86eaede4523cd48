package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Http;

/** Whoever asks is told soon that there is no database, even by one that says nothing. */
@Tag("slow")
class HealthTests {

	private static final String READINESS = "/actuator/health/readiness";

	/** Far less than anybody waits for a connection or a statement. */
	private static final Duration SOON = Duration.ofSeconds(5);

	private Database database;

	private ServiceProcess service;

	private Http http;

	@BeforeEach
	void start(@TempDir Path folder) {
		this.database = new Database(folder.resolve("postgres"));
		this.service = ServiceProcess.start(folder,
				this.database.arguments("--spring.datasource.hikari.maximum-pool-size=2"));
		this.http = this.service.http();
	}

	@AfterEach
	void stop() {
		this.service.close();
		this.database.close();
	}

	@Test
	void isNotReadyWhileTheDatabaseIsAway() {
		assertIsReady();
		this.database.close();
		assertIsNotReady();
		this.database.restart();
		assertIsReady();
		assertThat(this.service.log().lines().filter((line) -> line.contains("DatabaseHealth"))).hasSize(2)
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
		this.http.post("/apps/a/users/u/sessions/s", "{}").ok();
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
