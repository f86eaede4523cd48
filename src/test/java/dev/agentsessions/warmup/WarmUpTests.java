package dev.agentsessions.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.faults.Database;
import dev.agentsessions.support.Http;

/** The service makes its first requests itself, and leaves no trace of them. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class WarmUpTests {

	private static final List<String> COUNTERS = List.of("agentsessions_append_events_total",
			"agentsessions_append_commit_seconds_count", "agentsessions_append_wait_seconds_count",
			"agentsessions_append_group_size_count", "agentsessions_append_replays_total",
			"agentsessions_read_events_total", "agentsessions_read_size_characters_count",
			"agentsessions_refusals_total", "agentsessions_watches");

	private Database database;

	@BeforeAll
	void start(@TempDir Path temporary) {
		this.database = new Database(temporary.resolve("postgres"));
	}

	@AfterAll
	void stop() {
		this.database.close();
	}

	@Test
	void leavesNoTrace(CapturedOutput output) throws SQLException {
		try (ConfigurableApplicationContext service = start(
				"--management.endpoints.web.exposure.include=health,prometheus",
				"--logging.level.dev.agentsessions=debug", "--logging.level.dev.agentsessions.security=info")) {
			Http http = http(service);
			assertThat(output).contains("Warmed up").doesNotContain("/apps/warm-up", " WARN ", " ERROR ");
			assertThat(http.get("/list-apps").body()).isEqualTo("[]");
			assertThat(count("sessions") + count("events") + count("state") + count("initial_state")).isZero();
			List<String> figures = http.get("/actuator/prometheus").body().lines().toList();
			assertThat(figures).noneMatch((line) -> line.contains("/apps/{appName}"));
			for (String counter : COUNTERS) {
				assertThat(figures.stream().filter((line) -> line.startsWith(counter) && !line.contains("_limit ")))
					.isNotEmpty()
					.allMatch((line) -> line.endsWith(" 0.0") || line.endsWith(" 0"));
			}
		}
	}

	@Test
	void worksBehindAccessControlAndAContextPath(CapturedOutput output) {
		try (ConfigurableApplicationContext service = start("--server.servlet.context-path=/sessions",
				"--agent-sessions.security.api-keys[0].name=k", "--agent-sessions.security.api-keys[0].apps=a",
				"--agent-sessions.security.api-keys[0].role=reader",
				"--agent-sessions.security.api-keys[0].sha256=" + "0".repeat(64),
				"--logging.level.dev.agentsessions.warmup=debug")) {
			assertThat(service.isRunning()).isTrue();
			assertThat(output).contains("Warmed up").doesNotContain(" WARN ", " ERROR ");
		}
	}

	@Test
	void saysInOneLineThatADatabaseIsReadOnly(CapturedOutput output) throws SQLException {
		start().close();
		execute("alter database postgres set default_transaction_read_only = on");
		try (ConfigurableApplicationContext service = start("--spring.flyway.enabled=false")) {
			assertThat(http(service).get("/actuator/health/readiness").status()).isEqualTo(200);
			assertThat(output.toString().lines().filter((line) -> line.contains(" WARN ") || line.contains(" ERROR ")))
				.hasSize(1)
				.allMatch((line) -> line.contains("Not warmed up") && line.contains("503"));
		}
		finally {
			execute("set default_transaction_read_only = off",
					"alter database postgres reset default_transaction_read_only");
		}
	}

	private ConfigurableApplicationContext start(String... arguments) {
		List<String> all = new ArrayList<>(List.of(this.database.arguments(arguments)));
		all.add("--server.port=0");
		// However busy the machine is
		all.add("--agent-sessions.warm-up-timeout=10m");
		return SpringApplication.run(AgentSessionsApplication.class, all.toArray(String[]::new));
	}

	private static Http http(ConfigurableApplicationContext service) {
		return new Http(((WebServerApplicationContext) service).getWebServer().getPort());
	}

	private void execute(String... statements) throws SQLException {
		try (Connection connection = this.database.connect()) {
			for (String sql : statements) {
				connection.createStatement().execute(sql);
			}
		}
	}

	private int count(String table) throws SQLException {
		try (Connection connection = this.database.connect();
				ResultSet rows = connection.createStatement().executeQuery("select count(*) from " + table)) {
			rows.next();
			return rows.getInt(1);
		}
	}

}
