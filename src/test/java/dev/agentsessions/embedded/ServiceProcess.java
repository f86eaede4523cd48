package dev.agentsessions.embedded;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import dev.agentsessions.support.Http;

/** The real program in a process of its own, which can be killed. */
public final class ServiceProcess implements AutoCloseable {

	/** What Maven makes of the program before it starts the tests. */
	public static final Path PACKAGED = Path.of("target", "agent-sessions.jar").toAbsolutePath();

	private static final Pattern READY = Pattern.compile("Swagger UI: http://localhost:(\\d+)/");

	private static final Pattern DATABASE = Pattern
		.compile("PostgreSQL runs on port \\d+, its data is in (.+?)(, gone at exit)?\\R");

	private static final String HEAP = "256m";

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final Process process;

	private final Path log;

	private ServiceProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/** Starts the program in a folder, with an embedded database to its hand. */
	public static ServiceProcess start(Path folder, String... arguments) {
		return startWithHeap(HEAP, folder, arguments);
	}

	/** Starts the program with a heap of this size. */
	public static ServiceProcess startWithHeap(String heap, Path folder, String... arguments) {
		return start(heap, 0, folder, arguments);
	}

	/** Starts the program at a port that it has after a restart, too. */
	public static ServiceProcess startAt(int port, Path folder, String... arguments) {
		return start(HEAP, port, folder, arguments);
	}

	/** Starts the program that Maven has packaged, which has no embedded database. */
	public static ServiceProcess startPackaged(Path java, Path folder, String... arguments) {
		return start(java, folder, List.of("-Xmx" + HEAP, "-jar", PACKAGED.toString()), arguments);
	}

	private static ServiceProcess start(String heap, int port, Path folder, String... arguments) {
		Path java = Path.of(ProcessHandle.current().info().command().orElseThrow());
		List<String> program = new ArrayList<>(List.of("-Xmx" + heap));
		program.addAll(SharedClasses.program(java));
		program.add("--server.port=" + port);
		return start(java, folder, program, arguments);
	}

	/** Starts a program of this command in a folder. */
	public static ServiceProcess start(Path java, Path folder, List<String> program, String... arguments) {
		List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1"));
		command.addAll(program);
		command.addAll(List.of(arguments));
		try {
			Path log = Files.createTempFile(folder, "service", ".log");
			ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
				.redirectErrorStream(true)
				.redirectOutput(log.toFile());
			// Only tests with a load balancer, or of the drain itself, set a period
			builder.environment().put("AGENT_SESSIONS_DRAIN_PERIOD", "0s");
			return new ServiceProcess(builder.start(), log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Waits until it listens. */
	public Http http() {
		await().until(() -> !this.process.isAlive() || READY.matcher(log()).find());
		return new Http(Integer.parseInt(find(READY).orElseThrow(() -> new AssertionError(log()))));
	}

	/** Waits until it listens at a port that it was given. */
	public void awaitOpenPort(int port) {
		await().pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(2))
			.until(() -> !this.process.isAlive() || accepts(port));
	}

	private static boolean accepts(int port) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Sends a line to its standard input. */
	public void type(String line) throws IOException {
		BufferedWriter input = this.process.outputWriter();
		input.write(line + '\n');
		input.flush();
	}

	public long pid() {
		return this.process.pid();
	}

	/** Waits until it has ended. */
	public int exitCode() {
		await().until(() -> !this.process.isAlive());
		return this.process.exitValue();
	}

	public String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The folder of the embedded database, if the program has started one. */
	Optional<Path> dataDirectory() {
		return find(DATABASE).map(Path::of);
	}

	/** The embedded database. */
	public ProcessHandle database() {
		Path pidFile = dataDirectory().orElseThrow().resolve("postgres/postmaster.pid");
		try {
			return ProcessHandle.of(Long.parseLong(Files.readAllLines(pidFile).get(0))).orElseThrow();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** How many bytes of its heap are in use once everything else has been collected. */
	public long liveBytes() throws IOException {
		String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
		Process histogram = new ProcessBuilder(jcmd, Long.toString(this.process.pid()), "GC.class_histogram").start();
		try (BufferedReader lines = histogram.inputReader()) {
			return lines.lines()
				.filter((line) -> line.startsWith("Total"))
				.mapToLong((line) -> Long.parseLong(line.trim().split("\\s+")[2]))
				.findFirst()
				.orElseThrow();
		}
	}

	/** Asks it to end, and waits until it has. */
	public void stop() {
		this.process.destroy();
		exitCode();
	}

	/** Asks it to end. */
	public void terminate() {
		this.process.destroy();
	}

	/** Takes it down without warning. */
	public void kill() {
		kill(this.process.toHandle());
	}

	/** Takes a process down without warning. */
	public static void kill(ProcessHandle process) {
		process.destroyForcibly();
		awaitEnd(process);
	}

	static void awaitEnd(ProcessHandle process) {
		await().until(() -> !process.isAlive());
	}

	private Optional<String> find(Pattern pattern) {
		Matcher matcher = pattern.matcher(log());
		return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50));
	}

	/** Leaves nothing running. */
	@Override
	public void close() {
		stop();
	}

}
