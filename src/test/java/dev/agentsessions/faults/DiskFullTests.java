package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Http;

/** Where nothing more fits, appends are refused, and go on when there is room again. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class DiskFullTests {

	private static final String FILLER = "/apps/ledger/users/u/sessions/filler";

	/** Fits four times into a page of a table. */
	private static final String CONTENT = "x".repeat(1600);

	private Database database;

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void starts(@TempDir Path folder) {
		this.database = new Database(folder.resolve("postgres"));
		this.service = ServiceProcess.start(folder,
				this.database.arguments("--spring.datasource.hikari.connection-timeout=500"));
		this.http = this.service.http();
	}

	@AfterAll
	void stops() {
		this.service.close();
		this.database.close();
	}

	@AfterEach
	void makesRoom() {
		this.database.restart();
		awaitDatabase();
	}

	/** Until the service has noticed that the database is back, it refuses requests. */
	private void awaitDatabase() {
		Awaitility.await()
			.atMost(30, TimeUnit.SECONDS)
			.until(() -> this.http.get("/actuator/health/readiness").status() == 200);
	}

	@Test
	void readsAndDeletesWhileNoTableCanGrowAndAppendsWhenThereIsRoom() throws IOException, SQLException {
		this.http.post(FILLER, "{}").ok();
		String event = "{\"author\":\"a\",\"filler\":\"" + CONTENT + "\"}";
		this.http
			.post(FILLER + "/events:batch", "{\"events\":[" + String.join(",", Collections.nCopies(1000, event)) + "]}")
			.ok();
		Load load = Load.start(this.http, CONTENT);
		load.awaitProgress(1);
		this.database.restartOnFullDisk(2048);
		awaitDatabase();
		load.awaitRefusals(2);
		this.http.get(FILLER + "/events?limit=1").ok();
		assertThat(this.http.delete(FILLER).status()).isEqualTo(204);
		vacuum();
		load.awaitProgress(10);
		load.stopAndCompare();
	}

	@Test
	void losesAndDoublesNothingWhenTheLogCannotGrow() throws IOException, SQLException {
		Load load = Load.start(this.http);
		load.awaitProgress(1);
		startNewFileOfLog();
		this.database.restartOnFullDisk(512);
		awaitDatabase();
		load.awaitRefusals(2);
		this.database.restart();
		load.awaitProgress(10);
		load.stopAndCompare();
	}

	/** Finds the room that was freed; without this, PostgreSQL does it a minute later. */
	private void vacuum() throws SQLException {
		try (Connection connection = this.database.connect()) {
			connection.createStatement().execute("vacuum events");
		}
	}

	private void startNewFileOfLog() throws SQLException {
		try (Connection connection = this.database.connect()) {
			connection.createStatement().execute("select pg_switch_wal()");
		}
	}

}
