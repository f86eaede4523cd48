package dev.agentsessions.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.embedded.EmbeddedDatabaseConfiguration.EmbeddedProperties;
import dev.agentsessions.startup.StartupException;

/** A PostgreSQL that runs as long as this program. */
final class EmbeddedDatabase implements JdbcConnectionDetails, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedDatabase.class);

	static final String SUPERUSER = "postgres";

	private final EmbeddedPostgres postgres;

	private final DataDirectory directory;

	private EmbeddedDatabase(EmbeddedPostgres postgres, DataDirectory directory) {
		this.postgres = postgres;
		this.directory = directory;
	}

	/**
	 * Starts the database, empty or with its existing data.
	 * @throws StartupException if another service uses the same data, or PostgreSQL does
	 * not accept the data
	 */
	static EmbeddedDatabase start(EmbeddedProperties properties) {
		try {
			DataDirectory directory = properties.keepData() ? DataDirectory.lock(properties.dataDirectory())
					: DataDirectory.temporary();
			StartLog log = new StartLog(directory.log());
			EmbeddedPostgres postgres = log.watch(() -> start(directory, properties.keepData() ? "on" : "off"));
			logger.info("PostgreSQL runs on port {}, its data is in {}", postgres.getPort(), directory);
			return new EmbeddedDatabase(postgres, directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("PostgreSQL did not start", ex);
		}
	}

	/**
	 * Enables durability explicitly, because zonky, made for tests, disables it. The log
	 * of the server contains neither statements nor their values.
	 */
	private static EmbeddedPostgres start(DataDirectory directory, String durable) throws IOException {
		return EmbeddedPostgres.builder()
			.setOverrideWorkingDirectory(
					BinariesFolder.in(System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home")).toFile())
			.setDataDirectory(directory.postgres())
			.setCleanDataDirectory(false)
			.setRegisterShutdownHook(false)
			.setPGStartupWait(Duration.ofMinutes(1))
			.setOutputRedirector(Redirect.to(directory.log().toFile()))
			.setLocaleConfig("locale", "C")
			.setServerConfig("fsync", durable)
			.setServerConfig("synchronous_commit", durable)
			.setServerConfig("max_connections", "100")
			.setServerConfig("listen_addresses", "localhost")
			// A killed server would leave a file that can stop a later one on its port
			.setServerConfig("unix_socket_directories", "")
			.setServerConfig("log_min_error_statement", "panic")
			.setServerConfig("log_error_verbosity", "terse")
			.setServerConfig("log_checkpoints", "off")
			.start();
	}

	@Override
	public String getUsername() {
		return SUPERUSER;
	}

	@Override
	public String getPassword() {
		return "";
	}

	@Override
	public String getJdbcUrl() {
		return this.postgres.getJdbcUrl(SUPERUSER, "postgres");
	}

	@Override
	public void close() throws IOException {
		this.postgres.close();
		this.directory.close();
	}

	/**
	 * The folder where the programs of PostgreSQL are unpacked, once for all starts. Only
	 * this user can read and write it; otherwise this user would run programs that
	 * another user has put there.
	 */
	static final class BinariesFolder {

		private BinariesFolder() {
		}

		/**
		 * Returns the folder, created if it does not exist.
		 * @param caches the cache folder of this user from the variable {@code
		 * XDG_CACHE_HOME}; {@code null} for {@code .cache}
		 * @param home the home folder of this user
		 */
		static Path in(@Nullable String caches, String home) throws IOException {
			Path parent = (caches != null && !caches.isBlank()) ? Path.of(caches) : Path.of(home, ".cache");
			Path folder = Files.createDirectories(parent.toAbsolutePath().resolve("agent-sessions"));
			if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
				// Fails if another user owns the folder
				Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
			}
			return folder;
		}

	}

	/** The log of PostgreSQL, which tells why it did not start. */
	private static final class StartLog {

		/** Output of the program {@code pg_ctl} when the server has ended. */
		private static final String START_FAILED = "could not start server";

		private static final String COPIED_FOLDER_ACTION = """
				The folder looks like a copy of one that is in use, or is in use itself. Stop the service before you copy its folder. \
				If no PostgreSQL runs on this one, delete its file postgres/postmaster.pid, and start again.""";

		private static final String OTHER_ACTION = "Fix the problem that PostgreSQL reports, and start again.";

		private static final int POLL_MILLIS = 100;

		private static final int MAX_LINES = 12;

		private final Path file;

		StartLog(Path file) {
			this.file = file;
		}

		/**
		 * Starts a server with a new log, and stops waiting when the server ends.
		 * @throws StartupException with the last lines of the log if the server did not
		 * start
		 */
		<T> T watch(Callable<T> start) throws IOException {
			Files.deleteIfExists(this.file);
			FutureTask<T> task = new FutureTask<>(start);
			Thread thread = new Thread(task, "postgres-start");
			thread.setDaemon(true);
			thread.start();
			try {
				return await(task);
			}
			catch (ExecutionException ex) {
				throw notStarted(ex.getCause());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw notStarted(ex);
			}
			finally {
				thread.interrupt();
			}
		}

		private <T> T await(FutureTask<T> start) throws ExecutionException, InterruptedException {
			while (true) {
				try {
					return start.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
				}
				catch (TimeoutException ex) {
					if (lastLines().stream().anyMatch((line) -> line.contains(START_FAILED))) {
						throw new ExecutionException(ex);
					}
				}
			}
		}

		private StartupException notStarted(@Nullable Throwable cause) {
			String lines = String.join("\n    ", lastLines());
			return new StartupException("PostgreSQL did not start. Its log is " + this.file
					+ "\nThe last lines of its log:\n\n    " + lines,
					lines.contains("postmaster.pid") ? COPIED_FOLDER_ACTION : OTHER_ACTION, cause);
		}

		private List<String> lastLines() {
			try {
				List<String> lines = new String(Files.readAllBytes(this.file), StandardCharsets.UTF_8).lines().toList();
				return lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size());
			}
			catch (IOException ex) {
				return List.of();
			}
		}

	}

}
