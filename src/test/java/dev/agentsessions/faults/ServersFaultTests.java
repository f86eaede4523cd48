package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.LogsErrors;
import dev.agentsessions.support.Names;

/** Users on two servers, while a server or the service dies. */
@Tag("slow")
class ServersFaultTests {

	private static final int ROUNDS = Integer.getInteger("faults.rounds", 2);

	private static final String TO_B = "insert into buckets select bucket, 'b' from generate_series(128, 255) as bucket";

	private static final String APP = "/apps/servers";

	@TempDir
	private Path folder;

	private Database main;

	private Database b;

	private ServiceProcess service;

	private Http http;

	@BeforeEach
	void startServers() throws SQLException {
		this.main = new Database(this.folder.resolve("main"));
		this.b = new Database(this.folder.resolve("b"));
		Flyway.configure().dataSource(this.main.url(), Database.SUPERUSER, "").load().migrate();
		try (Connection connection = this.main.connect(); Statement statement = connection.createStatement()) {
			statement.execute(TO_B);
		}
		start();
		this.http.post(session(false), "{}").ok();
		this.http.post(session(true), "{}").ok();
	}

	private void start() {
		this.service = ServiceProcess.start(this.folder,
				this.main.arguments("--agent-sessions.servers.b.url=" + this.b.url(),
						"--agent-sessions.servers.b.username=" + Database.SUPERUSER));
		this.http = this.service.http();
	}

	@AfterEach
	void stop() {
		this.service.close();
		this.main.close();
		this.b.close();
	}

	/** The path of a session of a user on the server b or on the main server. */
	private static String session(boolean onB) {
		return APP + "/users/" + Names.userIn((bucket) -> bucket >= 128 == onB, "servers", "u") + "/sessions/s";
	}

	@Test
	@LogsErrors
	void usersOfTheOtherServerGoOnWhileOneIsAway() {
		this.b.destroy();
		awaitStatus(503, session(true));
		assertThat(append(false, "").status()).isEqualTo(200);
		assertThat(this.http.get(APP + "/sessions").status()).isEqualTo(503);
		assertThat(this.http.get("/actuator/health/readiness").status()).isEqualTo(200);
		assertThat(append(false, "\"app:k\":7").status()).isEqualTo(200);
		assertThat(this.http.get(session(false).replaceAll("/sessions/s", ":export")).status()).isEqualTo(200);
	}

	@Test
	@LogsErrors
	void usersOfOtherServersGoOnWhileTheMainServerIsAway() {
		this.main.destroy();
		awaitStatus(503, session(false));
		assertThat(append(true, "").status()).isEqualTo(200);
		assertThat(append(true, "\"app:k\":7").status()).isEqualTo(503);
		assertThat(this.http.get("/actuator/health/readiness").status()).isEqualTo(200);
	}

	private void awaitStatus(int status, String path) {
		Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> this.http.get(path).status() == status);
	}

	private Answer append(boolean onB, String delta) {
		return this.http.post(session(onB) + "/events",
				"{\"author\":\"a\",\"actions\":{\"stateDelta\":{" + delta + "}}}");
	}

	/** Two writers change the same key on both servers while the service is killed. */
	@Test
	void stateOfAnAppIsTheSameOnBothServersAfterTheServiceWasKilled() {
		AtomicInteger acknowledged = new AtomicInteger();
		for (int round = 0; round < ROUNDS; round++) {
			int before = acknowledged.get();
			CompletableFuture<Void> first = change(false, acknowledged);
			CompletableFuture<Void> second = change(true, acknowledged);
			Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> acknowledged.get() > before + 20);
			this.service.kill();
			CompletableFuture.allOf(first, second).join();
			start();
			Awaitility.await()
				.atMost(2, TimeUnit.MINUTES)
				.untilAsserted(() -> assertThat(state(true)).isEqualTo(state(false)).isNotEqualTo(""));
		}
	}

	private CompletableFuture<Void> change(boolean onB, AtomicInteger acknowledged) {
		return CompletableFuture.runAsync(() -> {
			try {
				for (int number = 0; true; number++) {
					append(onB, "\"app:k\":" + ((onB ? 100_000 : 0) + number)).ok();
					acknowledged.incrementAndGet();
				}
			}
			catch (UncheckedIOException ex) {
				// The service was killed
			}
		});
	}

	private String state(boolean onB) {
		return this.http.get(session(onB) + "?numRecentEvents=0").ok().at("/state/app:k").toString();
	}

}
