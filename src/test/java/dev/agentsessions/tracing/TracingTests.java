package dev.agentsessions.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;

/** Traces have the ids of a request, and nothing of what it says. */
@Tag("slow")
class TracingTests {

	private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

	@TempDir
	private Path folder;

	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	private HttpServer collector;

	@BeforeEach
	void startCollector() throws IOException {
		this.collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.collector.createContext("/v1/traces", this::receive);
		this.collector.start();
	}

	private void receive(HttpExchange exchange) throws IOException {
		boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
		try (exchange;
				InputStream body = gzip ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
			this.received.add(new String(body.readAllBytes(), StandardCharsets.ISO_8859_1));
			exchange.sendResponseHeaders(200, -1);
		}
	}

	@AfterEach
	void stopCollector() {
		this.collector.stop(0);
	}

	@Test
	void joinsTheTraceOfTheCallerWithIdsAndWithoutContents() throws IOException, InterruptedException {
		String endpoint = "http://127.0.0.1:" + this.collector.getAddress().getPort() + "/v1/traces";
		try (ServiceProcess service = ServiceProcess.start(this.folder, "--agent-sessions.tracing.endpoint=" + endpoint,
				"--agent-sessions.tracing.sampling=0", "--spring.profiles.active=memory",
				"--logging.structured.format.file=ecs", "--logging.file.name=service.json")) {
			Http http = service.http();
			http.post("/apps/shop/users/ann/sessions/s1", "{\"state\":{\"k\":\"confidential\"}}", "traceparent",
					"00-" + TRACE + "-00f067aa0ba902b7-01")
				.ok();
			http.send("GET", "/apps/shop/users/bob/sessions/s2?numRecentEvents=1", BodyPublishers.noBody());
			String spans = this.received.poll(30, TimeUnit.SECONDS);
			assertThat(spans)
				.contains("POST /apps/{appName}/users/{userId}/sessions/{sessionId}", "agent_sessions.sessionId", "s1",
						"agent-sessions", "http.response.status_code")
				.doesNotContain("confidential", "bob");
			JsonNode line = Files.readAllLines(this.folder.resolve("service.json"))
				.stream()
				.map(Json::read)
				.filter((one) -> one.path("message").stringValue().contains("/users/ann/sessions/s1 "))
				.findFirst()
				.orElseThrow();
			assertThat(line.path("traceId").stringValue()).isEqualTo(TRACE);
			assertThat(line.path("method").stringValue()).isEqualTo("POST");
			assertThat(line.path("route").stringValue()).endsWith("/sessions/{sessionId}");
			assertThat(line.path("status").intValue()).isEqualTo(200);
			assertThat(line.path("duration").longValue()).isPositive();
			assertThat(line.path("caller").stringValue()).isEqualTo("anybody");
			assertThat(line.path("app").stringValue()).isEqualTo("shop");
			assertThat(line.path("session").stringValue()).isEqualTo("s1");
			assertThat(line.path("requestId").stringValue()).isNotBlank();
			assertThat(line.at("/log/level").stringValue()).isEqualTo("INFO");
			assertThat(line.at("/service/name").stringValue()).isEqualTo("agent-sessions");
		}
	}

}
