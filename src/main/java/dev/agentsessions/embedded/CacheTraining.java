package dev.agentsessions.embedded;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

import dev.agentsessions.embedded.EmbeddedDatabaseConfiguration.EmbeddedProperties;

/**
 * Makes the file for {@code -XX:AOTCache}, which has the classes of the service as the
 * JVM has loaded them and what it knows of their methods. It starts the service with a
 * database of its own and sends it 40,000 requests, however long they take. When that
 * service stops, its JVM writes the file, of about 150 MB.
 */
final class CacheTraining {

	private static final int CLIENTS = 16;

	private static final int TURNS_OF_CLIENT = 500;

	private static final String SESSIONS = "/apps/training/users/u/sessions";

	/** No setting of the service may change what the training does. */
	private static final Set<String> VARIABLES = Set.of("PATH", "TMPDIR", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

	private final String event = new ClassPathResource("sample-event.json").getContentAsString(StandardCharsets.UTF_8);

	private final RestClient http;

	private CacheTraining(int port) throws IOException {
		this.http = RestClient.create("http://localhost:" + port);
	}

	/**
	 * Makes the file.
	 * @param args the jar of the service, by the path with which the service will be
	 * started; the file
	 */
	public static void main(String[] args) throws Exception {
		if (Runtime.version().feature() < 25) {
			throw new IllegalStateException("This JVM cannot make a cache. JDK 25 or newer can.");
		}
		Path unfinished = Path.of(args[1] + ".new");
		EmbeddedDatabase database = EmbeddedDatabase.start(new EmbeddedProperties(Path.of(""), false));
		// Also if the user interrupts the training
		Runtime.getRuntime().addShutdownHook(new Thread(new FutureTask<>(() -> {
			database.close();
			return null;
		})));
		int port = freePort();
		Process service = start(port, args[0], unfinished, database.getJdbcUrl());
		Runtime.getRuntime().addShutdownHook(new Thread(service::destroy));
		new CacheTraining(port).train(service);
		service.destroy();
		service.waitFor();
		Files.move(unfinished, Path.of(args[1]), StandardCopyOption.REPLACE_EXISTING);
		System.out.println("Made " + args[1]);
	}

	/**
	 * Adapters are left out of the cache, because JDK 25 prints a warning at each start
	 * with them.
	 */
	private static Process start(int port, String jar, Path cache, String database) throws IOException {
		String java = ProcessHandle.current().info().command().orElseThrow();
		ProcessBuilder builder = new ProcessBuilder(java, "-XX:AOTCacheOutput=" + cache, "-Xlog:aot*=error",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTAdapterCaching", "-jar", jar, "--server.port=" + port,
				"--spring.datasource.url=" + database, "--spring.datasource.username=" + EmbeddedDatabase.SUPERUSER);
		builder.environment().keySet().retainAll(VARIABLES);
		// Here no file has settings of the service
		File folder = Files.createTempDirectory("agent-sessions-").toFile();
		folder.deleteOnExit();
		return builder.directory(folder).inheritIO().start();
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private void train(Process service) throws Exception {
		while (!isReady()) {
			if (!service.isAlive()) {
				throw new IllegalStateException("The service did not start.");
			}
			Thread.sleep(100);
		}
		List<FutureTask<?>> clients = IntStream.range(0, CLIENTS).<FutureTask<?>>mapToObj(this::client).toList();
		clients.forEach((client) -> new Thread(client).start());
		for (FutureTask<?> client : clients) {
			client.get();
		}
	}

	private boolean isReady() {
		try {
			get("/actuator/health/readiness");
			return true;
		}
		catch (RestClientException ex) {
			return false;
		}
	}

	/** Turns of an agent: it reads what was said last, and appends to it. */
	private FutureTask<?> client(int number) {
		String session = SESSIONS + "/s" + number;
		return new FutureTask<>(() -> {
			post(SESSIONS, "{\"sessionId\": \"s" + number + "\"}");
			List.of("/list-apps", SESSIONS, "/console").forEach(this::get);
			for (int turn = 0; turn < TURNS_OF_CLIENT; turn++) {
				get(session + "?numRecentEvents=20");
				for (int append = 0; append < 4; append++) {
					post(session + "/events", this.event);
				}
			}
		}, null);
	}

	private void get(String path) {
		this.http.get().uri(path).retrieve().toBodilessEntity();
	}

	private void post(String path, String body) {
		this.http.post().uri(path).contentType(MediaType.APPLICATION_JSON).body(body).retrieve().toBodilessEntity();
	}

}
