package dev.agentsessions.adk.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.adk.Api;
import dev.agentsessions.postgres.artifact.ArtifactRemover;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Saves and deletions at the same time, uploads that break off, and limits. */
@HttpTest
class ArtifactRaceTests {

	private static final int WRITERS = 16;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int MAX_SIZE = 50 * 1024 * 1024;

	private static final String WITHOUT_VERSION = """
			select count(*) from artifact_blobs as blob where not exists (
			  select from artifact_versions as version
			  where version.user_key = blob.user_key and version.blob_key = blob.blob_key)
			""";

	private static final String WITHOUT_BLOB = """
			select count(*) from artifact_chunks as chunk where not exists (
			  select from artifact_blobs as blob
			  where blob.user_key = chunk.user_key and blob.blob_key = chunk.blob_key)
			""";

	private static final String WITHOUT_BYTES = """
			select count(*) from artifact_versions as version where blob_key is not null and not exists (
			  select from artifact_blobs as blob
			  where blob.user_key = version.user_key and blob.blob_key = version.blob_key and size = (
			    select coalesce(sum(length(bytes)), 0) from artifact_chunks as chunk
			    where chunk.user_key = blob.user_key and chunk.blob_key = blob.blob_key))
			""";

	private final Api api;

	private final Artifacts artifacts;

	private final JdbcTemplate jdbc;

	private final ArtifactRemover sweeper;

	ArtifactRaceTests(Http http, JdbcTemplate jdbc, ArtifactRemover sweeper) {
		this.api = new Api(http);
		this.artifacts = Artifacts.of(this.api, "s1");
		this.jdbc = jdbc;
		this.sweeper = sweeper;
	}

	@Test
	void savesAtTheSameTimeGetAllNumbers() {
		List<Answer> answers = atOnce((writer) -> this.artifacts.put("a", "text " + writer));
		assertThat(answers).extracting((answer) -> answer.ok().at("/version").intValue())
			.containsExactlyInAnyOrderElementsOf(numbers());
		assertThat(this.artifacts.versions("a")).containsExactlyElementsOf(numbers());
	}

	/** One chunk, and several. */
	@Test
	void equalBytesAreStoredOnce() {
		for (int size : new int[] { 1000, 600_000 }) {
			byte[] bytes = new byte[size];
			Arrays.fill(bytes, (byte) size);
			String name = "equal-" + size + "-" + this.api.app();
			atOnce((writer) -> this.artifacts.put(name, bytes)).forEach(Answer::ok);
			assertThat(this.artifacts.versions(name)).containsExactlyElementsOf(numbers());
			assertThat(this.jdbc.queryForObject("select count(distinct blob_key) from artifact_versions where name = ?",
					Integer.class, name))
				.isEqualTo(1);
		}
		assertNothingIsLeft();
	}

	@Test
	void aSaveThatRacesADeletionIsWholeOrGone() {
		for (int round = 0; round < 10; round++) {
			String text = "round " + round;
			this.artifacts.put("a", text).ok();
			atOnce((writer) -> {
				if (writer % 4 == 0) {
					this.sweeper.run();
				}
				return (writer % 2 == 0) ? this.artifacts.delete("a") : this.artifacts.put("a", text);
			}).forEach((answer) -> assertThat(answer.status()).as(answer.body()).isIn(200, 204));
			if (this.artifacts.names().contains("a")) {
				this.artifacts.assertHasBytes("a", text.getBytes(StandardCharsets.UTF_8));
			}
		}
		this.artifacts.delete("a");
		assertNothingIsLeft();
	}

	@Test
	void anUploadThatBreaksOffLeavesNothing() throws IOException {
		try (Socket socket = new Socket("localhost", this.api.http().port())) {
			OutputStream request = socket.getOutputStream();
			request.write(("PUT " + this.artifacts.path("a")
					+ " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
			request.write(new byte[700_000]);
			request.flush();
			Awaitility.await().atMost(PATIENCE).until(() -> count(WITHOUT_VERSION) > 0);
		}
		assertNothingIsLeft();
		assertThat(this.artifacts.names()).isEmpty();
	}

	@Test
	void whatIsTooLargeIsRefusedAndLeavesNothing() {
		byte[] bytes = new byte[MAX_SIZE + 1];
		this.artifacts.put("a", bytes).problem(413, "PAYLOAD_TOO_LARGE");
		Answer chunked = this.api.http()
			.send("PUT", this.artifacts.path("a"), BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
		assertThat(chunked.problem(413, "PAYLOAD_TOO_LARGE").detail()).contains("agent-sessions.artifacts.max-size");
		assertThat(this.artifacts.names()).isEmpty();
		assertNothingIsLeft();
	}

	@Test
	void aVersionOfTheMaximumSizeIsSaved() {
		byte[] bytes = new byte[MAX_SIZE];
		bytes[MAX_SIZE - 1] = 1;
		assertThat(this.artifacts.put("a", bytes).ok().at("/size").intValue()).isEqualTo(MAX_SIZE);
		this.artifacts.assertHasBytes("a", bytes);
	}

	@Test
	void aSessionAndAUserHaveAQuota() {
		String name = "large-" + this.api.app();
		this.artifacts.put(name, "x").ok();
		setSize(name, 1L << 30);
		assertThat(this.artifacts.put("b", "x").problem(413, "QUOTA_EXCEEDED").detail()).contains("session-quota");
		Artifacts other = Artifacts.of(this.api, "s2");
		other.put("b", "x").ok();
		setSize(name, 10L << 30);
		assertThat(other.put("b", "x").problem(413, "QUOTA_EXCEEDED").detail()).contains("user-quota");
		Artifacts.ofUser(this.api).put("b", "x").problem(413, "QUOTA_EXCEEDED");
		this.artifacts.delete(name);
		other.put("b", "x").ok();
	}

	/** Many small versions with large metadata cannot fill the disk. */
	@Test
	void metadataNamesAndRowsCount() {
		String name = "large-" + this.api.app();
		this.artifacts.put(name, "x").ok();
		setSize(name, (1L << 30) - 6000);
		String metadata = "%7B%22a%22:%22" + "x".repeat(5000) + "%22%7D";
		this.artifacts.put("b", "x", "X-Custom-Metadata", metadata).ok();
		this.artifacts.put("c", "x").problem(413, "QUOTA_EXCEEDED");
		this.artifacts.delete("b");
		String longName = "d".repeat(500);
		for (int count = 0; count < 5; count++) {
			this.artifacts.put(longName, "").ok();
		}
		this.artifacts.put(longName, "").problem(413, "QUOTA_EXCEEDED");
		this.artifacts.post("e", "{'fileData': {'fileUri': 'gs://%s'}}".formatted("u".repeat(500)))
			.problem(413, "QUOTA_EXCEEDED");
	}

	@Test
	void aNameHasAMaximumNumberOfVersions() {
		for (int version = 0; version < 1000; version++) {
			this.artifacts.post("a", "{'fileData': {'fileUri': 'gs://b'}}").ok();
		}
		assertThat(this.artifacts.put("a", "x").problem(413, "QUOTA_EXCEEDED").detail())
			.contains("agent-sessions.artifacts.versions");
		assertThat(this.api.http().delete(this.artifacts.path("a") + "/versions/0").status()).isEqualTo(204);
		assertThat(this.artifacts.put("a", "x").ok().at("/version").intValue()).isEqualTo(1000);
	}

	private void setSize(String name, long size) {
		this.jdbc.update("update artifact_versions set size = ? where name = ?", size, name);
	}

	/** Once the service has noticed that clients are gone. */
	private void assertNothingIsLeft() {
		Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
			this.sweeper.run();
			assertThat(count(WITHOUT_VERSION)).isZero();
		});
		assertThat(count(WITHOUT_BLOB)).isZero();
		assertThat(count(WITHOUT_BYTES)).isZero();
	}

	private long count(String sql) {
		Long count = this.jdbc.queryForObject(sql, Long.class);
		return (count != null) ? count : 0;
	}

	private static List<Integer> numbers() {
		return IntStream.range(0, WRITERS).boxed().toList();
	}

	private static List<Answer> atOnce(IntFunction<Answer> request) {
		ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
		try {
			List<CompletableFuture<Answer>> answers = IntStream.range(0, WRITERS)
				.mapToObj((writer) -> CompletableFuture.supplyAsync(() -> request.apply(writer), writers))
				.toList();
			return answers.stream().map(CompletableFuture::join).toList();
		}
		finally {
			writers.shutdown();
		}
	}

}
