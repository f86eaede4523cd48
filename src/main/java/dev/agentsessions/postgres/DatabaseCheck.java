package dev.agentsessions.postgres;

import java.net.ConnectException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Asks the database whether it is there, over a connection of its own: those of the pool
 * may all be busy with a database that is well, and a replica that is busy must not count
 * as broken.
 */
final class DatabaseCheck {

	static final String NO_ANSWER = "The database does not answer";

	/** After so many seconds the driver gives up, at the latest. */
	private static final int SECONDS = 5;

	/** The server has no room for one more connection, and so it is there. */
	private static final String TOO_MANY_CONNECTIONS = "53300";

	/** States of a server that starts, ends or has crashed. */
	private static final String NOT_RUNNING = "57P";

	private final HikariDataSource pool;

	DatabaseCheck(HikariDataSource pool) {
		this.pool = pool;
	}

	/**
	 * Connects and asks something: a pool between the service and the database lets any
	 * connection in.
	 */
	Outcome connect() {
		try (Connection connection = DriverManager.getConnection(this.pool.getJdbcUrl(), properties())) {
			return new Outcome(connection.isValid(SECONDS) ? up() : down(NO_ANSWER), false);
		}
		catch (SQLException ex) {
			String state = String.valueOf(ex.getSQLState());
			boolean refused = ex.getCause() instanceof ConnectException || state.startsWith(NOT_RUNNING);
			return state.equals(TOO_MANY_CONNECTIONS) ? new Outcome(up(), false)
					: new Outcome(down(String.valueOf(ex.getMessage())), refused);
		}
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
			.forEach((name) -> properties.setProperty(name, Integer.toString(SECONDS)));
		return properties;
	}

	/**
	 * What a check has found.
	 *
	 * @param health up or down
	 * @param refused whether nothing takes connections at the address; otherwise a
	 * machine that is busy may be the reason why the database does not answer in time
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
