package dev.agentsessions.postgres;

import java.io.EOFException;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Checks whether the database responds, over a connection of its own. All connections of
 * the pool may be busy although the database is well, and a busy replica must not count
 * as broken.
 */
final class DatabaseCheck {

	static final String NO_ANSWER = "The database does not answer";

	/** Time-out of each step of the check. */
	private static final int TIMEOUT_SECONDS = 5;

	/** The server accepts no more connections, so it runs. */
	private static final String TOO_MANY_CONNECTIONS = "53300";

	/** Prefix of the codes of a server that starts, stops or has crashed. */
	private static final String NOT_RUNNING = "57P";

	private final HikariDataSource pool;

	DatabaseCheck(HikariDataSource pool) {
		this.pool = pool;
	}

	/**
	 * Connects and sends a query, because a pool between the service and the database
	 * accepts any connection.
	 */
	Outcome connect() {
		try (Connection connection = DriverManager.getConnection(this.pool.getJdbcUrl(), properties())) {
			return new Outcome(connection.isValid(TIMEOUT_SECONDS) ? up() : down(NO_ANSWER), false);
		}
		catch (SQLException ex) {
			String state = String.valueOf(ex.getSQLState());
			boolean refused = isClosed(ex.getCause()) || state.startsWith(NOT_RUNNING);
			return state.equals(TOO_MANY_CONNECTIONS) ? new Outcome(up(), false)
					: new Outcome(down(String.valueOf(ex.getMessage())), refused);
		}
	}

	/**
	 * Whether the server refused the connection or closed it. A server that stops closes
	 * connections that it has just accepted, without a reason.
	 */
	private static boolean isClosed(@Nullable Throwable cause) {
		return cause instanceof SocketException || cause instanceof EOFException;
	}

	private Properties properties() {
		Properties properties = new Properties();
		this.pool.getDataSourceProperties()
			.forEach((name, value) -> properties.setProperty(name.toString(), value.toString()));
		if (this.pool.getUsername() != null) {
			properties.setProperty("user", this.pool.getUsername());
		}
		if (this.pool.getPassword() != null) {
			properties.setProperty("password", this.pool.getPassword());
		}
		List.of("connectTimeout", "loginTimeout", "socketTimeout")
			.forEach((name) -> properties.setProperty(name, Integer.toString(TIMEOUT_SECONDS)));
		return properties;
	}

	/**
	 * The result of a check.
	 *
	 * @param health up or down
	 * @param refused whether the server refuses or closes connections; otherwise a busy
	 * machine may be the reason why the database does not respond in time
	 */
	record Outcome(Health health, boolean refused) {

		boolean isUp() {
			return this.health.getStatus().equals(Status.UP);
		}

	}

	private static Health up() {
		return Health.up().withDetail("database", "PostgreSQL").build();
	}

	static Health down(String reason) {
		return Health.down().withDetail("error", reason).build();
	}

}
