package dev.agentsessions.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** A PostgreSQL that runs as long as this program. */
final class EmbeddedDatabase implements JdbcConnectionDetails, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedDatabase.class);

	private static final String SUPERUSER = "postgres";

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
			EmbeddedPostgres postgres = log.watch(() -> start(directory, log, properties.keepData() ? "on" : "off"));
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
	private static EmbeddedPostgres start(DataDirectory directory, StartLog log, String durable) throws IOException {
		return EmbeddedPostgres.builder()
			.setOverrideWorkingDirectory(
					BinariesFolder.in(System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home")).toFile())
			.setDataDirectory(directory.postgres())
			.setCleanDataDirectory(false)
			.setRegisterShutdownHook(false)
			.setPGStartupWait(Duration.ofMinutes(1))
			.setOutputRedirector(log.redirect())
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

}
