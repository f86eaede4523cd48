package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
import dev.agentsessions.support.SlowSender;

/** More imports than a small service can read at once wait for their turn. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class ManyImportsTests {

	private static final int IMPORTS = 30;

	private static final int EVENTS = 3;

	/** Text of an event whose line is large. */
	private static final String TEXT = "x".repeat(3_000_000);

	private static final int IDLE_IMPORTS = 8;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<SlowSender> slowSenders = new ArrayList<>();

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void start(@TempDir Path folder) {
		this.service = ServiceProcess.start(folder, "--agent-sessions.body-timeout=8s");
		this.http = this.service.http();
	}

	@AfterAll
	void stop() {
		this.slowSenders.forEach(SlowSender::close);
		this.threads.shutdownNow();
		this.service.close();
	}

	@Test
	void importsAreStoredAfterIdleImportsTimeOut() throws Exception {
		List<Socket> idle = new ArrayList<>();
		for (int i = 0; i < IDLE_IMPORTS; i++) {
			idle.add(idleImport());
		}
		List<Answer> answers = IntStream.range(0, IMPORTS)
			.mapToObj((number) -> CompletableFuture.supplyAsync(() -> importSession(number), this.threads))
			.collect(Collectors.toList())
			.stream()
			.map((answer) -> answer.orTimeout(2, TimeUnit.MINUTES).join())
			.toList();

		assertThat(answers).allSatisfy((answer) -> {
			assertThat(answer.status()).as(answer.body()).isEqualTo(200);
			assertThat(answer.body()).contains("\"created\":1", "\"complete\":true");
		});
		for (Socket client : idle) {
			assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
				.startsWith("HTTP/1.1 408")
				.contains("500 bytes per second");
			client.close();
		}
		assertThat(this.service.log()).doesNotContain("OutOfMemoryError");
	}

	/** Sends an empty line every two seconds. */
	private Socket idleImport() throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), this.http.port());
		client.setSoTimeout(60_000);
		OutputStream body = client.getOutputStream();
		body.write(("POST /apps/a/users/idle:import HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
				+ "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
			.getBytes(StandardCharsets.US_ASCII));
		this.slowSenders.add(SlowSender.start(body, "1\r\n\n\r\n", Duration.ofSeconds(2)));
		return client;
	}

	private Answer importSession(int number) {
		String time = "2026-01-01T00:00:0%d.000000Z";
		List<String> lines = new ArrayList<>();
		lines.add("{\"kind\":\"export\",\"version\":1,\"userId\":\"u\"}");
		lines.add("{\"kind\":\"user\",\"userId\":\"u\"}");
		lines.add(("{\"kind\":\"session\",\"sessionId\":\"s%d\",\"revision\":%d,\"createTime\":\"" + time
				+ "\",\"lastUpdateTime\":\"" + time + "\"}")
			.formatted(number, EVENTS, 0, EVENTS));
		for (int seq = 1; seq <= EVENTS; seq++) {
			lines.add(("{\"kind\":\"event\",\"seq\":%d,\"commitTime\":\"" + time
					+ "\",\"event\":{\"id\":\"e%d\",\"timestamp\":1,\"author\":\"a\",\"text\":\"%s\"}}")
				.formatted(seq, seq, seq, TEXT));
		}
		lines.add("{\"kind\":\"sessionEnd\"}");
		lines.add("{\"kind\":\"end\",\"sessions\":1,\"events\":3}");
		return this.http.send("POST", "/apps/a/users/u" + number + ":import",
				BodyPublishers.ofString(String.join("\n", lines)), "Content-Type", "application/x-ndjson");
	}

}
