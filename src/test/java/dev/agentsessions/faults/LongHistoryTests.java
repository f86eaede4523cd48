package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.postgres.lifecycle.OwnedTables;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable;
import dev.agentsessions.support.Http;

/**
 * A session of 5,000 events of 20 KB, read by clients that never ask for a page. All of
 * it does not fit into the memory of the service.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class LongHistoryTests {

	private static final String ENGINE = "/projects/p/locations/l/reasoningEngines/long";

	private static final String SESSION = ENGINE + "/sessions/s";

	private static final String JAVA = "google-genai-sdk/0.1.0 gl-java/17.0.15";

	private static final int EVENTS = 5000;

	/** The times of the events are in another order than their places in the history. */
	private static final String FILL = """
			with history as (
			  select n, n * 7919 % 5000 as second from generate_series(1, 5000) as n)
			insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
			select session_key, n, 'e' || n, now(), to_timestamp(second), 'agent', 'i' || second, 20000,
			  json_build_object('id', 'e' || n, 'invocationId', 'i' || second, 'author', 'agent', 'timestamp', second,
			    'content', json_build_object('parts', json_build_array(json_build_object('text', repeat('x', 20000)))))
			from sessions, history
			""";

	private Database database;

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void start(@TempDir Path folder) {
		this.database = new Database(folder.resolve("postgres"));
		this.service = ServiceProcess.startWithHeap("128m", folder,
				this.database.arguments("--spring.datasource.hikari.connection-timeout=1000"));
		this.http = this.service.http();
	}

	@BeforeEach
	void fill() throws SQLException {
		Awaitility.await().until(this::creates);
		try (Connection connection = this.database.connect()) {
			connection.createStatement().execute(FILL);
			connection.createStatement().execute("update sessions set revision = " + EVENTS);
		}
	}

	/**
	 * After a restart of the database, a connection that was in use less than half a
	 * second ago is not tested before its next use. The client gets 503 and tries again.
	 */
	private boolean creates() {
		return this.http.post("/v1" + ENGINE + "/sessions?sessionId=s", "{\"userId\":\"u\"}").status() == 200;
	}

	@AfterEach
	void empty() throws SQLException {
		try (Connection connection = this.database.connect()) {
			connection.createStatement()
				.execute("truncate sessions, "
						+ OwnedTables.ALL.stream().map(OwnedTable::name).collect(Collectors.joining(", ")));
		}
	}

	@AfterAll
	void stop() {
		this.service.close();
		this.database.close();
	}

	@Test
	void isReadCompleteAndInOrderOfTime() {
		for (String version : new String[] { "/v1beta1", "/v1" }) {
			JsonNode list = this.http.get(version + SESSION + "/events").ok().json();

			assertThat(list.has("nextPageToken")).isFalse();
			List<String> invocations = new ArrayList<>();
			list.path("sessionEvents").forEach((event) -> {
				assertThat(event.at("/content/parts/0/text").stringValue()).hasSize(20_000);
				invocations.add(event.path("invocationId").stringValue());
			});
			assertThat(invocations).hasSize(EVENTS);
			for (int second = 0; second < EVENTS; second++) {
				assertThat(invocations.get(second)).isEqualTo("i" + second);
			}
		}
	}

	@Test
	void isCutOffWhenTheDatabaseGoesAwayMidway() throws Exception {
		try (InputStream body = begin("anybody")) {
			this.database.close();

			assertThatIOException().isThrownBy(body::readAllBytes);
		}
		finally {
			this.database.restart();
			Awaitility.await().until(() -> this.http.get("/actuator/health/readiness").status() == 200);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "anybody", JAVA })
	void isCutOffWhenTheSessionIsDeletedMidway(String userAgent) throws Exception {
		int logged = this.service.log().length();
		try (InputStream body = begin(userAgent)) {
			this.http.delete("/v1beta1" + SESSION).ok();

			assertThatIOException().isThrownBy(body::readAllBytes);
			assertLogsTheCutInOneLine(logged);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "anybody", JAVA })
	void isCutOffWhenTheSessionIsReplacedMidway(String userAgent) throws Exception {
		int logged = this.service.log().length();
		try (InputStream body = begin(userAgent)) {
			this.http.delete("/v1beta1" + SESSION).ok();
			this.http.post("/v1beta1" + ENGINE + "/sessions?sessionId=s", "{\"userId\":\"u\"}").ok();
			this.http
				.post("/v1beta1" + SESSION + ":appendEvent",
						"{\"author\":\"agent\",\"timestamp\":\"2026-01-01T00:00:00Z\"}")
				.ok();

			assertThatIOException().isThrownBy(body::readAllBytes);
			assertLogsTheCutInOneLine(logged);
		}
	}

	private void assertLogsTheCutInOneLine(int from) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.service.log().substring(from))
				.containsOnlyOnce("Cut the response to GET /v1beta1" + SESSION + "/events"));
		assertThat(this.service.log().substring(from)).doesNotContain(" ERROR ", "\tat ");
	}

	/** Begins to read; much more than what was read cannot be on its way. */
	private InputStream begin(String userAgent) throws IOException, InterruptedException {
		URI events = URI.create("http://localhost:" + this.http.port() + "/v1beta1" + SESSION + "/events");
		HttpResponse<InputStream> answer = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(events).header("User-Agent", userAgent).build(), BodyHandlers.ofInputStream());
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body().readNBytes(1 << 20)).hasSize(1 << 20);
		return answer.body();
	}

}
