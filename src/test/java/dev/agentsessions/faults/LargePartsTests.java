package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.MessageDigest;
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

	private final ExecutorService crowd = Executors.newCachedThreadPool();

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void fill(@TempDir Path folder) {
		this.service = ServiceProcess.start(folder);
		this.http = this.service.http();
		this.http.post(SESSION, "{}").ok();
		for (int i = 0; i < IMAGES; i++) {
			this.http
				.post(SESSION + "/events",
						"""
								{"id":"e%d","author":"user","content":{"parts":[{"text":"Look"},
								{"inlineData":{"mimeType":"image/png","data":"%s"}}]}}""".formatted(i,
								Base64.getEncoder().encodeToString(image(i))))
				.ok();
		}
	}

	@AfterAll
	void stop() {
		this.crowd.shutdownNow();
		this.service.close();
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
			.<Callable<Boolean>>mapToObj((i) -> () -> MessageDigest.isEqual(bytes(i), image(i)))
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

	private static byte[] image(int seed) {
		byte[] bytes = new byte[FIVE_MEGABYTES];
		new Random(seed).nextBytes(bytes);
		return bytes;
	}

}
