package dev.agentsessions.postgres;

import java.io.EOFException;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.OutageConfiguration.FailFastDataSource;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StoreHealth;

/**
 * Checks whether the database can be reached, and reports within {@link #MAX_WAIT} also
 * if it does not respond. Concurrent calls share one check. If the server refuses or
 * closes connections, or two successive checks get no response, requests are refused at
 * once until a check succeeds. A check starts when a probe calls, when a request fails or
 * waits for a connection, and every second while the database is away. So an outage
 * begins and ends also without probes.
 */
@Component
class DatabaseHealth implements StoreHealth {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseHealth.class);

	/** How long a caller waits for a check. */
	private static final Duration MAX_WAIT = Duration.ofMillis(1500);

	/** How old the result of a check may be for a caller that asks for the health. */
	private static final Duration MAX_AGE = Duration.ofSeconds(1);

	/** How old the result of a check may be when a request has failed. */
	private static final Duration MAX_AGE_AFTER_FAILURE = Duration.ofMillis(100);

	private final FailFastDataSource connections;

	private final HikariDataSource pool;

	private final DatabaseCheck check;

	/** Guarded by this. */
	private @Nullable CompletableFuture<Health> latest;

	/** Guarded by this. */
	private long latestNanoTime;

	/** Whether the check before failed. Only the running check uses it. */
	private volatile boolean failedBefore;

	DatabaseHealth(DataSource dataSource, MeterRegistry registry) throws SQLException {
		this.connections = dataSource.unwrap(FailFastDataSource.class);
		this.pool = dataSource.unwrap(HikariDataSource.class);
		this.check = new DatabaseCheck(this.pool);
		Gauge.builder("agentsessions.database.up", this, (asked) -> asked.responds() ? 1 : 0)
			.description("1 if the database can be reached, 0 if not")
			.register(registry);
	}

	Health health() {
		return await(check(MAX_AGE));
	}

	@Override
	public boolean responds() {
		return health().getStatus().equals(Status.UP);
	}

	@Override
	public boolean explains(SessionException.Unavailable failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		// The line about the outage comes before the first refusal, so it explains all of
		// them
		return cause instanceof FailFastDataSource.AwayException || (cause instanceof SQLException && isAwayNow());
	}

	private boolean isAwayNow() {
		if (!this.connections.isAway()) {
			await(check(MAX_AGE_AFTER_FAILURE));
		}
		return this.connections.isAway();
	}

	/** Starts a check if the database is away or threads wait for a connection. */
	void checkIfDue() {
		if (this.connections.isAway() || isWaitedFor()) {
			check(MAX_AGE);
		}
	}

	/**
	 * Whether threads wait for a connection. A pool has no figures before its first
	 * connection.
	 */
	private boolean isWaitedFor() {
		HikariPoolMXBean started = this.pool.getHikariPoolMXBean();
		return started != null && started.getThreadsAwaitingConnection() > 0;
	}

	private static Health await(CompletableFuture<Health> check) {
		try {
			return check.get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			return DatabaseCheck.down(DatabaseCheck.NO_ANSWER);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return DatabaseCheck.down(DatabaseCheck.NO_ANSWER);
		}
	}

	/**
	 * Returns the check that runs or that began not longer than {@code maxAge} ago, or
	 * starts a new one.
	 */
	private synchronized CompletableFuture<Health> check(Duration maxAge) {
		CompletableFuture<Health> check = this.latest;
		if (check == null || (check.isDone() && System.nanoTime() - this.latestNanoTime > maxAge.toNanos())) {
			check = CompletableFuture.supplyAsync(() -> report(this.check.connect()), DatabaseHealth::startThread);
			this.latest = check;
			this.latestNanoTime = System.nanoTime();
		}
		return check;
	}

	private static void startThread(Runnable task) {
		Thread thread = new Thread(task, "database-health");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Records the result of a check, and logs one line for each change. A check that gets
	 * no response in time counts only if the one before also failed.
	 */
	private Health report(DatabaseCheck.Outcome outcome) {
		boolean away = !outcome.isUp() && (outcome.refused() || this.failedBefore);
		this.failedBefore = !outcome.isUp();
		if (away != this.connections.isAway()) {
			if (away) {
				logger.warn("Not ready: {}", outcome.health().getDetails().get("error"));
			}
			else {
				logger.info("Ready again: the database answers");
			}
		}
		this.connections.setAway(away);
		return outcome.health();
	}

	/**
	 * The health of the store in the readiness of the replica. With several servers, the
	 * replica serves the users of those that respond.
	 */
	@Component("dbHealthContributor")
	static final class StoreHealthIndicator implements HealthIndicator {

		private final DatabaseHealth database;

		private final StoreHealth store;

		StoreHealthIndicator(DatabaseHealth database, StoreHealth store) {
			this.database = database;
			this.store = store;
		}

		@Override
		public Health health() {
			Health health = this.database.health();
			return (health.getStatus().equals(Status.UP) || !this.store.responds()) ? health
					: Health.up().withDetails(health.getDetails()).build();
		}

	}

	/**
	 * Checks whether the database responds, over a connection of its own. All connections
	 * of the pool may be busy although the database is well, and a busy replica must not
	 * count as broken.
	 */
	static final class DatabaseCheck {

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
		 * Whether the server refused the connection or closed it. A server that stops
		 * closes connections that it has just accepted, without a reason.
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
		 * @param refused whether the server refuses or closes connections; otherwise a
		 * busy machine may be the reason why the database does not respond in time
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

}
