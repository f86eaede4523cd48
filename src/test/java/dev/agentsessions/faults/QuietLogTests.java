package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Http;

/**
 * What goes wrong is told in few lines, which say to whom it went wrong and what to do.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class QuietLogTests {

	private static final String SESSION = "/apps/a/users/u/sessions/s";

	private static final int MANY_LINES = 80;

	private Path folder;

	private Database database;

	@BeforeAll
	void starts(@TempDir Path temporary) {
		this.folder = temporary;
		this.database = new Database(this.folder.resolve("postgres"));
	}

	@AfterAll
	void stops() {
		this.database.close();
	}

	/** Each request would wait for ten minutes, if it waited for the pool. */
	@Test
	void hasOneLineWhenTheDatabaseGoesAwayAndOneWhenItIsBack() {
		try (ServiceProcess service = ServiceProcess.start(this.folder,
				this.database.arguments("--spring.datasource.hikari.connection-timeout=600000"))) {
			Http http = service.http();
			http.post(SESSION, "{}").ok();
			List<Thread> clients = Stream.generate(() -> new Thread(() -> appendUntilItFails(http))).limit(8).toList();
			clients.forEach(Thread::start);
			this.database.close();
			clients.forEach(QuietLogTests::join);
			http.get(SESSION).problem(503, "UNAVAILABLE");
			http.post(SESSION + "/events", "{}").problem(503, "UNAVAILABLE");
			this.database.restart();
			Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> http.get(SESSION).status() == 200);
			http.post(SESSION + "/events", "{}").ok();
			assertThat(service.log().lines()).noneMatch((line) -> line.startsWith("\tat "));
			assertThat(service.log().lines().filter((line) -> line.contains(" WARN ") || line.contains(" ERROR ")))
				.hasSize(1)
				.allMatch((line) -> line.contains("Not ready: "));
			assertThat(service.log().lines().filter((line) -> line.contains("Ready again: "))).hasSize(1);
		}
	}

	@Test
	void doesNotTellOfATimeThatCannotBe() {
		try (ServiceProcess service = ServiceProcess.start(this.folder, this.database.arguments())) {
			Http http = service.http();
			http.post(SESSION + "9", "{}").ok();
			http.post(SESSION + "9/events?lastUpdateTime=253402300799.9999999", "{}").problem(409, "STALE_SESSION");
			assertThat(service.log().lines()).noneMatch((line) -> line.contains(" WARN ") && line.contains("append"))
				.noneMatch((line) -> line.startsWith("\tat "));
		}
	}

	@Test
	void saysWhatToDoWithoutTheDatabase() {
		tells("Start PostgreSQL", "--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + Database.freePort() + "/x",
				"--spring.datasource.hikari.connection-timeout=1000");
	}

	@Test
	void saysWhatToDoWithAWrongName() {
		List<String> right = Database.arguments(this.database.port(), "");
		tells("SPRING_DATASOURCE_USERNAME", right.get(0), "--spring.datasource.username=nobody",
				"--spring.datasource.hikari.connection-timeout=1000");
	}

	@Test
	void saysWhatToDoWithoutTheRightToMakeTables() throws SQLException {
		execute("create role reader login");
		tells("grant create", Database.arguments(this.database.port(), "").get(0),
				"--spring.datasource.username=reader", "--spring.flyway.default-schema=of_nobody");
	}

	/** Neither if it migrates nor if a step before its start does. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void doesNotServeASchemaThatItDoesNotKnow(boolean migrates) throws SQLException {
		Flyway.configure().dataSource(this.database.url(), Database.SUPERUSER, "").load().migrate();
		execute("insert into flyway_schema_history select 1000, '999', 'of the future', 'SQL', 'V999__x.sql', 1, "
				+ "'postgres', now(), 1, true");
		try {
			tells("newer", this.database.arguments("--spring.flyway.enabled=" + migrates));
		}
		finally {
			execute("delete from flyway_schema_history where version = '999'");
		}
	}

	private void tells(String advice, String... arguments) {
		try (ServiceProcess service = ServiceProcess.start(this.folder, arguments)) {
			assertThat(service.exitCode()).isNotZero();
			assertThat(service.log()).contains("APPLICATION FAILED TO START", advice);
			assertThat(service.log().lines()).hasSizeLessThan(MANY_LINES).noneMatch((line) -> line.startsWith("\tat "));
		}
	}

	private void execute(String... statements) throws SQLException {
		try (Connection connection = this.database.connect(); Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
	}

	private static void appendUntilItFails(Http http) {
		while (http.post(SESSION + "/events", "{}").status() == 200) {
			continue;
		}
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
