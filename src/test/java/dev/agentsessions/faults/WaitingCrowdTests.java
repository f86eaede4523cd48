package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.support.Http;

/**
 * Many clients wait at once in a small service, because its database makes them: what
 * they have sent is bounded, and all is well afterwards.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class WaitingCrowdTests {

	/**
	 * Appends are refused because of their number, and not because they wait too long.
	 */
	private static final String QUERY_TIMEOUT = "--spring.jdbc.template.query-timeout=10m";

	private static final int CLIENTS = 700;

	private static final int HOLDERS = 2000;

	/**
	 * This many clients connect at the same time; each one without a place waits 100 ms.
	 */
	private static final int GROUP = 40;

	private static final String EVENT = "{\"text\":\"" + "x".repeat(60_000) + "\"}";

	private static final String SESSION = "/apps/a/users/u/sessions/s";

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private Database database;

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void starts(@TempDir Path folder) {
		this.database = new Database(folder.resolve("postgres"));
		this.service = ServiceProcess.start(folder, this.database.arguments(QUERY_TIMEOUT));
		this.http = this.service.http();
		for (int i = 0; i < CLIENTS; i++) {
			this.http.post(SESSION + i, "{}").ok();
		}
	}

	@AfterAll
	void stops() {
		this.service.close();
		this.database.close();
	}

	@Test
	void appendsWaitOrGet503WhileTableIsLocked() throws Exception {
		List<CompletableFuture<HttpResponse<String>>> answers;
		try (Connection connection = this.database.connect(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("lock table sessions in access exclusive mode");
			answers = IntStream.range(0, CLIENTS).mapToObj(this::append).toList();
			awaitRefusal(answers);
			connection.rollback();
		}
		List<Integer> statuses = answers.stream().map(WaitingCrowdTests::status).toList();
		assertThat(statuses).contains(200).allSatisfy((status) -> assertThat(status).isIn(200, 503));
		for (int i = 0; i < 20; i++) {
			this.http.post(SESSION + i + "/events", EVENT).ok();
		}
		assertThat(this.service.log().lines()).noneMatch((line) -> line.contains("OutOfMemoryError"));
	}

	@Test
	void serviceRecoversFromUnfinishedBodies() throws Exception {
		List<Socket> crowd = new ArrayList<>();
		try {
			for (int i = 0; i < HOLDERS; i += GROUP) {
				crowd.addAll(Concurrently.run(GROUP, (number) -> holdsABody()));
			}
		}
		finally {
			for (Socket client : crowd) {
				client.close();
			}
		}
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.ignoreExceptions()
			.until(() -> this.http.post(SESSION + "0/events", EVENT).status() == 200);
		assertThat(this.service.log().lines()).noneMatch((line) -> line.contains("OutOfMemoryError"));
	}

	/** Waits until the waiting appends have all the memory that they may have. */
	private static void awaitRefusal(List<CompletableFuture<HttpResponse<String>>> answers) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> answers.stream()
				.filter((answer) -> answer.isDone() && !answer.isCompletedExceptionally())
				.anyMatch((answer) -> answer.join().body().contains("Too many appends are waiting")));
	}

	/** Sends all of a request but its end, if it is let in at once. */
	private Socket holdsABody() {
		Socket client = new Socket();
		try {
			client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.http.port()), 100);
			client.getOutputStream()
				.write(("POST " + SESSION + "0/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
						+ "Content-Length: " + (EVENT.length() + 1) + "\r\n\r\n" + EVENT)
					.getBytes(StandardCharsets.US_ASCII));
		}
		catch (SocketTimeoutException ex) {
			// There is no room for more
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return client;
	}

	/** Who is not even let in may try again as well as who is told so. */
	private static int status(CompletableFuture<HttpResponse<String>> answer) {
		return answer.orTimeout(1, TimeUnit.MINUTES)
			.handle((response, failure) -> (response == null) ? 503 : response.statusCode())
			.join();
	}

	private CompletableFuture<HttpResponse<String>> append(int client) {
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://localhost:" + this.http.port() + SESSION + client + "/events"))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(EVENT))
			.build();
		return CLIENT.sendAsync(request, BodyHandlers.ofString());
	}

}
