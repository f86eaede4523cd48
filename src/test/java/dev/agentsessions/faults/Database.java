package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.embedded.ServiceProcess;

/**
 * A PostgreSQL apart from the service, which can be restarted at its place, on a full
 * disk, too.
 */
public final class Database implements AutoCloseable {

	static final String SUPERUSER = "postgres";

	private final Path folder;

	private final int port = freePort();

	private EmbeddedPostgres postgres;

	/** The server on a full disk, while there is one. */
	private @Nullable Process cramped;

	public Database(Path folder) {
		this.folder = folder;
		this.postgres = start();
	}

	/** Ends all connections, and starts again on the same data and port. */
	void restart() {
		close();
		this.postgres = start();
	}

	/** Takes it down without warning, and starts it again on the same data and port. */
	public void kill() {
		destroy();
		Awaitility.await().atMost(1, TimeUnit.MINUTES).ignoreExceptions().until(() -> {
			// Not before the last of its processes has noticed
			this.postgres = start();
			return true;
		});
	}

	/**
	 * Starts a synchronous standby on a copy of its data. From now on, a commit waits for
	 * the standby.
	 */
	Database startStandby(Path copy) throws Exception {
		close();
		copyTo(copy);
		Files.createFile(copy.resolve("standby.signal"));
		Files.writeString(copy.resolve("postgresql.auto.conf"),
				"primary_conninfo = 'host=127.0.0.1 port=%d user=%s'%nwal_retrieve_retry_interval = 100%n"
					.formatted(this.port, SUPERUSER));
		this.postgres = start();
		Database standby = new Database(copy);
		execute("alter system set synchronous_standby_names = '*'");
		execute("select pg_reload_conf()");
		Awaitility.await()
			.atMost(1, TimeUnit.MINUTES)
			.until(() -> ask("select exists (select from pg_stat_replication where sync_state = 'sync')"));
		return standby;
	}

	private void copyTo(Path copy) throws IOException {
		try (Stream<Path> files = Files.walk(this.folder)) {
			for (Path file : files.toList()) {
				Files.copy(file, copy.resolve(this.folder.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
			}
		}
	}

	/** Makes a standby the primary. */
	void promote() throws SQLException {
		assertThat(ask("select pg_promote()")).isTrue();
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private boolean ask(String sql) throws SQLException {
		try (Connection connection = connect();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(sql)) {
			return rows.next() && rows.getBoolean(1);
		}
	}

	/** Takes it down without warning, for good. */
	void destroy() {
		processes().forEach(ServiceProcess::kill);
		close();
	}

	/**
	 * Starts again so that no file can grow beyond so many kilobytes. To who writes, this
	 * is like a full disk, and it takes no rights and no file system of its own.
	 */
	void restartOnFullDisk(int kilobytes) throws IOException {
		String program = server().info().command().orElseThrow();
		close();
		this.cramped = new ProcessBuilder(crampedCommand(kilobytes, program)).redirectErrorStream(true)
			.redirectOutput(this.folder.resolveSibling("postgres.log").toFile())
			.start();
		Awaitility.await().atMost(1, TimeUnit.MINUTES).until(this::answers);
	}

	/** Sends a signal to all its processes: {@code -STOP} freezes it. */
	void signal(String signal) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of("kill", signal));
		processes().forEach((process) -> command.add(Long.toString(process.pid())));
		new ProcessBuilder(command).start().waitFor();
	}

	private List<ProcessHandle> processes() {
		ProcessHandle server = server();
		return Stream.concat(Stream.of(server), server.descendants()).toList();
	}

	private ProcessHandle server() {
		try {
			return ProcessHandle.of(Long.parseLong(Files.readAllLines(this.folder.resolve("postmaster.pid")).get(0)))
				.orElseThrow();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private List<String> crampedCommand(int kilobytes, String program) {
		List<String> command = new ArrayList<>();
		if (System.getProperty("user.name").equals("root")) {
			// PostgreSQL does not run as root
			command.addAll(List.of("unshare", "-U"));
		}
		// The shell counts in blocks of 512 bytes, and shared memory must not count as a
		// file
		command.addAll(List.of("sh", "-c", "ulimit -S -f " + 2 * kilobytes + " && exec \"$@\"", "sh", program, "-D",
				this.folder.toString(), "-p", Integer.toString(this.port), "-c", "timezone=UTC", "-c",
				"dynamic_shared_memory_type=sysv"));
		return command;
	}

	private boolean answers() {
		try (Connection connection = connect()) {
			return connection.isValid(1);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	public Connection connect() throws SQLException {
		return this.postgres.getPostgresDatabase().getConnection();
	}

	String url() {
		return url(this.port);
	}

	private static String url(int port) {
		return "jdbc:postgresql://127.0.0.1:" + port + "/" + SUPERUSER;
	}

	/** The arguments of a service that uses it. */
	public String[] arguments(String... others) {
		List<String> all = new ArrayList<>(List.of(others));
		all.addAll(arguments(this.port, ""));
		return all.toArray(String[]::new);
	}

	/** The arguments of a service that uses a database at a port, through this query. */
	static List<String> arguments(int port, String query) {
		return List.of("--spring.datasource.url=" + url(port) + query, "--spring.datasource.username=" + SUPERUSER);
	}

	public int port() {
		return this.port;
	}

	private EmbeddedPostgres start() {
		try {
			return EmbeddedPostgres.builder()
				.setDataDirectory(this.folder)
				.setCleanDataDirectory(false)
				.setRegisterShutdownHook(false)
				.setPort(this.port)
				// Goes to initdb as it is. Small pieces, so that small disks are enough
				.setLocaleConfig("wal-segsize", "1")
				.setServerConfig("fsync", "on")
				.setServerConfig("synchronous_commit", "on")
				.setServerConfig("unix_socket_directories", "")
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns a free port that the system gives to no client, so that it is still free
	 * when a program that starts for seconds opens it.
	 */
	public static int freePort() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
			try (ServerSocket socket = new ServerSocket(port)) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				continue;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	@Override
	public void close() {
		if (this.cramped != null) {
			List<ProcessHandle> servers = Stream.concat(Stream.of(this.cramped.toHandle()), this.cramped.descendants())
				.toList();
			servers.forEach(ServiceProcess::kill);
			this.cramped = null;
		}
		try {
			this.postgres.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
