package dev.agentsessions.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

import dev.agentsessions.support.Http;

/**
 * Debian's HAProxy before some replicas, which it asks every second whether they are
 * ready. It tries nothing twice, so it hides no refusal.
 */
final class LoadBalancer implements AutoCloseable {

	static final Path PROGRAM = Path.of("/usr/sbin/haproxy");

	private static final String SETTINGS = """
			defaults
			  mode http
			  timeout connect 10s
			  timeout client 2m
			  timeout server 2m
			  timeout check 10s
			  retries 0
			listen figures
			  bind 127.0.0.1:%d
			  stats enable
			  stats uri /
			frontend clients
			  bind 127.0.0.1:%d
			  default_backend replicas
			backend replicas
			  balance roundrobin
			  option httpchk
			  http-check send meth GET uri /actuator/health/readiness ver HTTP/1.1 hdr Host localhost
			  http-check expect status 200
			  default-server check inter 1s fall 2 rise 2 slowstart 30s
			%s
			""";

	private final Http clients = new Http(Database.freePort());

	private final Http figures = new Http(Database.freePort());

	private final Process process;

	/** Starts it before the replicas at these ports of this machine. */
	LoadBalancer(Path folder, List<Integer> ports) throws IOException {
		String servers = ports.stream()
			.map((port) -> "  server %s 127.0.0.1:%d".formatted(name(port), port))
			.collect(Collectors.joining("\n"));
		Path settings = Files.writeString(folder.resolve("haproxy.cfg"),
				SETTINGS.formatted(this.figures.port(), this.clients.port(), servers));
		this.process = new ProcessBuilder(PROGRAM.toString(), "-db", "-f", settings.toString())
			.redirectErrorStream(true)
			.redirectOutput(folder.resolve("haproxy.log").toFile())
			.start();
		ports.forEach(this::awaitReady);
	}

	static void assumeInstalled() {
		Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "Not tried on this machine: haproxy is not installed");
	}

	/** Where clients call. */
	Http http() {
		return this.clients;
	}

	/** Waits until it has found the replica at a port to be ready. */
	void awaitReady(int port) {
		Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> isUp(port));
	}

	private boolean isUp(int port) {
		try {
			return this.figures.get("/;csv")
				.body()
				.lines()
				.filter((line) -> line.startsWith("replicas," + name(port) + ","))
				.anyMatch((line) -> line.contains(",UP,") && line.contains("L7OK"));
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	private static String name(int port) {
		return "at-" + port;
	}

	@Override
	public void close() {
		this.process.destroy();
	}

}
