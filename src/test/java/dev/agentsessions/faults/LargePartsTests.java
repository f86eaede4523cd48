package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

/**
 * A session of fifty images of 5 MB, 335 MB as they are stored, which would fit into the
 * memory of the service not even once.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class LargePartsTests {

	private static final String SESSION = "/apps/a/users/u/sessions/s";

	private static final int IMAGES = 50;

	private static final int FIVE_MEGABYTES = 5_000_000;

	/** How many images a client sends. The test copies the others from the first one. */
	private static final int SENT = 5;

	/** Each image has its number at its beginning, and the same noise after it. */
	private static final String COPY = """
			insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body, kind)
			select session_key, n + 1, 'e' || n, commit_time + n * interval '1 second', time, author, invocation_id,
			  size + length(n::text) - 1, replace(replace(body::text, '"e0"', '"e' || n || '"'),
			    '"%1$s', '"' || lpad(n::text, length('%1$s'), '0'))::json, kind
			from events, generate_series(%2$d, %3$d) as n where id = 'e0';
			update sessions set revision = %3$d + 1, last_update_time = (select max(commit_time) from events)
			""";

	private final String noise = noise();

	private final ExecutorService crowd = Executors.newCachedThreadPool();

	private Database database;

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void fill(@TempDir Path folder) throws SQLException {
		this.database = new Database(folder.resolve("postgres"));
		this.service = ServiceProcess.start(folder, this.database.arguments());
		this.http = this.service.http();
		this.http.post(SESSION, "{}").ok();
		for (int i = 0; i < SENT; i++) {
			this.http.post(SESSION + "/events", """
					{"id":"e%d","author":"user","content":{"parts":[{"text":"Look"},
					{"inlineData":{"mimeType":"image/png","data":"%s"}}]}}""".formatted(i, image(i))).ok();
		}
		try (Connection connection = this.database.connect(); Statement statement = connection.createStatement()) {
			statement.execute(COPY.formatted(number(0), SENT, IMAGES - 1));
		}
	}

	@AfterAll
	void stop() {
		this.crowd.shutdownNow();
		this.service.close();
		this.database.close();
		assertThat(this.service.log()).doesNotContain("OutOfMemoryError", "Answered 500");
	}

	@Test
	void sessionIsReadWithoutLargeParts() {
		for (String read : List.of(SESSION + "?", SESSION + "?view=context&", SESSION + "?atSeq=" + IMAGES + "&")) {
			Answer session = this.http.get(read + "parts=light").ok();
			assertThat(session.at("/events")).hasSize(IMAGES);
			assertThat(session.body()).hasSizeLessThan(IMAGES * 500);
		}
	}

	@Test
	void eventsAreListedOnTwoPages() {
		Answer first = this.http.get(SESSION + "/events?parts=light").ok();
		Answer second = this.http.get(SESSION + "/events?parts=light&pageToken=" + first.text("/nextPageToken")).ok();
		assertThat(first.at("/events").size() + second.at("/events").size()).isEqualTo(IMAGES);
		assertThat(second.json().has("nextPageToken")).isFalse();
	}

	@Test
	void concurrentReadersGetSessionOr503() throws Exception {
		List<Callable<Integer>> reads = Stream.of("", "/events", "/events/e7")
			.flatMap((path) -> IntStream.range(0, 2).mapToObj((i) -> read(SESSION + path + "?parts=light")))
			.toList();
		for (Future<Integer> answer : this.crowd.invokeAll(reads)) {
			assertThat(answer.get()).isIn(200, 503);
		}
		this.http.post("/apps/a/users/u/sessions", "{}").ok();
	}

	private Callable<Integer> read(String path) {
		return () -> this.http.get(path).status();
	}

	@Test
	void eachPartIsReadUnchanged() throws Exception {
		List<Callable<Boolean>> reads = IntStream.range(0, IMAGES)
			.<Callable<Boolean>>mapToObj(
					(i) -> () -> MessageDigest.isEqual(bytes(i), Base64.getDecoder().decode(image(i))))
			.toList();
		ExecutorService few = Executors.newFixedThreadPool(3);
		try {
			for (Future<Boolean> same : few.invokeAll(reads)) {
				assertThat(same.get()).isTrue();
			}
		}
		finally {
			few.shutdownNow();
		}
	}

	/** On a busy machine, the service may ask a reader to come again. */
	private byte[] bytes(int image) {
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://localhost:" + this.http.port() + SESSION + "/events/e" + image + "/parts/1"))
			.build();
		HttpClient client = HttpClient.newHttpClient();
		HttpResponse<byte[]> answer = Awaitility.await()
			.until(() -> client.send(request, BodyHandlers.ofByteArray()), (any) -> any.statusCode() != 503);
		assertThat(answer.statusCode()).isEqualTo(200);
		return answer.body();
	}

	/** Returns an image in Base64. */
	private String image(int number) {
		return number(number) + this.noise.substring(number(number).length());
	}

	private static String number(int number) {
		return "%08d".formatted(number);
	}

	private static String noise() {
		byte[] bytes = new byte[FIVE_MEGABYTES];
		new Random(0).nextBytes(bytes);
		return Base64.getEncoder().encodeToString(bytes);
	}

}
