package dev.agentsessions.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** A PostgreSQL apart from the service, which can be restarted at its place. */
final class Database implements AutoCloseable {

	private static final String SUPERUSER = "postgres";

	private final Path folder;

	private final int port = freePort();

	private EmbeddedPostgres postgres;

	Database(Path folder) {
		this.folder = folder;
		this.postgres = start();
	}

	/** Ends all connections, and starts again on the same data and port. */
	void restart() {
		close();
		this.postgres = start();
	}

	Connection connect() throws SQLException {
		return this.postgres.getPostgresDatabase().getConnection();
	}

	/** The arguments of a service that uses it. */
	String[] arguments(String... others) {
		List<String> all = new ArrayList<>(List.of(others));
		all.addAll(arguments(this.port, ""));
		return all.toArray(String[]::new);
	}

	/** The arguments of a service that uses a database at a port, through this query. */
	static List<String> arguments(int port, String query) {
		return List.of("--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + port + "/" + SUPERUSER + query,
				"--spring.datasource.username=" + SUPERUSER);
	}

	int port() {
		return this.port;
	}

	private EmbeddedPostgres start() {
		try {
			return EmbeddedPostgres.builder()
				.setDataDirectory(this.folder)
				.setCleanDataDirectory(false)
				.setRegisterShutdownHook(false)
				.setPort(this.port)
				.setServerConfig("fsync", "on")
				.setServerConfig("synchronous_commit", "on")
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.postgres.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
