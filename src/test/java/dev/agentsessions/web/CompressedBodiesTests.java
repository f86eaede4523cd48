package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.vertex.VertexApi;

/** Bodies that a client has compressed. */
@HttpTest
class CompressedBodiesTests {

	private final Api api;

	CompressedBodiesTests(Http http) {
		this.api = new Api(http);
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@Test
	void readsCompressedJson() throws IOException {
		String event = Json.of("{'id': 'e1', 'author': 'user', 'content': {'parts': [{'text': '"
				+ "\u5148 ".repeat(100_000) + "'}]}}");
		post(this.api.eventsPath("s1"), gzip(event)).ok();
		post(this.api.eventsPath("s1") + ":batch", gzip("{\"events\":[" + event.replace("e1", "e2") + "]}")).ok();
		assertThat(this.api.event("s1", "e2").text("/content/parts/0/text")).hasSize(200_000);
		assertThat(
				post(this.api.eventsPath("s1"), event.getBytes(StandardCharsets.UTF_8), "Content-Encoding", "identity")
					.header("Idempotent-Replayed"))
			.hasValue("true");
		VertexApi vertex = new VertexApi(this.api.http());
		post(vertex.placePath() + "/reasoningEngines/" + vertex.engine() + "/sessions?sessionId=s1",
				gzip(Json.of("{'userId': 'ann'}")))
			.ok();
		vertex.get("s1").ok();
	}

	@Test
	void limitsTheExpandedSize() throws IOException {
		byte[] bomb = gzip("{\"a\":\"" + "x".repeat(50_000_000) + "\"}");
		assertThat(bomb.length).isLessThan(1 << 20);
		post(this.api.eventsPath("s1"), bomb).problem(413, "PAYLOAD_TOO_LARGE");
	}

	/** A file name in the head of gzip is no part of the expanded body. */
	@Test
	void limitsTheCompressedSize() throws IOException {
		byte[] head = { 0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0 };
		byte[] endless = Arrays.copyOf(head, 17 << 20);
		Arrays.fill(endless, head.length, endless.length, (byte) 'n');
		post(this.api.eventsPath("s1"), endless).problem(413, "PAYLOAD_TOO_LARGE");
	}

	@Test
	void refusesWhatIsNotGzip() throws IOException {
		byte[] body = gzip("{\"author\":\"user\"}");
		post(this.api.eventsPath("s1"), "{}".getBytes(StandardCharsets.UTF_8)).problem(400, "INVALID_ARGUMENT");
		post(this.api.eventsPath("s1"), Arrays.copyOf(body, body.length - 9)).problem(400, "INVALID_ARGUMENT");
		post(this.api.eventsPath("s1"), new byte[0]).problem(422, "VALIDATION_FAILED");
		ByteArrayOutputStream emptyMembers = new ByteArrayOutputStream();
		for (int member = 0; member < 20_000; member++) {
			emptyMembers.write(gzip(""));
		}
		post(this.api.eventsPath("s1"), emptyMembers.toByteArray()).problem(400, "INVALID_ARGUMENT");
		assertThat(this.api.events("s1", "").at("/events").isEmpty()).isTrue();
	}

	/** Only a body with a limit of its size may be compressed. */
	@ParameterizedTest
	@CsvSource({ ":import, application/x-ndjson, gzip", ":import, application/x-ndjson, br",
			"/sessions, application/json, br", "/sessions, application/json, 'gzip, gzip'" })
	void saysWhichBodiesMayBeCompressed(String path, String type, String encoding) throws IOException {
		Answer refused = this.api.http()
			.send("POST", this.api.userPath() + path, BodyPublishers.ofByteArray(gzip("{}")), "Content-Type", type,
					"Content-Encoding", encoding);
		assertThat(refused.problem(415, "UNSUPPORTED_MEDIA_TYPE").detail()).contains("Content-Encoding", "only gzip");
	}

	@Test
	void saysThatAWildcardIsNoType() {
		Answer refused = this.api.http()
			.send("POST", this.api.sessionsPath(), BodyPublishers.ofString("{}"), "Content-Type", "application/*");
		assertThat(refused.problem(415, "UNSUPPORTED_MEDIA_TYPE").detail()).contains("without *");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"id\":\"e1\",\"author\":\"a\"}", "{\"id\":\"e1\",\"author\":\"\u5148\"}" })
	void skipsAByteOrderMark(String event) throws IOException {
		byte[] marked = ("\uFEFF" + event).getBytes(StandardCharsets.UTF_8);
		post(this.api.eventsPath("s1"), marked, "Content-Encoding", "identity").ok();
		assertThat(post(this.api.eventsPath("s1"), gzip("\uFEFF" + event)).header("Idempotent-Replayed"))
			.hasValue("true");
	}

	private Answer post(String path, byte[] body) {
		return post(path, body, "Content-Encoding", "gzip");
	}

	private Answer post(String path, byte[] body, String header, String value) {
		return this.api.http()
			.send("POST", path, BodyPublishers.ofByteArray(body), "Content-Type", "application/json", header, value);
	}

	private static byte[] gzip(String text) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
			gzip.write(text.getBytes(StandardCharsets.UTF_8));
		}
		return bytes.toByteArray();
	}

}
