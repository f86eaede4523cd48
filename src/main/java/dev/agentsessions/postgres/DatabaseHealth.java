package dev.agentsessions.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.stereotype.Component;

/**
 * Tells whether the database can be reached, soon also when it says nothing at all. It
 * asks over a connection of its own, made for each question: those of the pool may all be
 * busy with a database that is well, and a replica that is busy must not count as broken.
 * However many ask at once, they share one connection, and its answer is good for a
 * second.
 */
@Component("dbHealthContributor")
class DatabaseHealth implements HealthIndicator {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseHealth.class);

	/** So long, who asks waits for an answer. */
	private static final Duration PATIENCE = Duration.ofMillis(1500);

	private static final Duration FRESH = Duration.ofSeconds(1);

	/** After so many seconds the driver gives up, at the latest. */
	private static final int SECONDS = 2;

	/** The server has no room for one more connection, and so it is there. */
	private static final String TOO_MANY_CONNECTIONS = "53300";

	private static final String NO_ANSWER = "The database does not answer";

	private final HikariDataSource pool;

	/** Guarded by this. */
	private @Nullable CompletableFuture<Health> latest;

	/** Guarded by this. */
	private long latestNanoTime;

	/** Guarded by this. */
	private boolean up = true;

	DatabaseHealth(DataSource dataSource, MeterRegistry registry) {
		this.pool = Objects.requireNonNull(
				DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class),
				"The pool of connections is one of HikariCP");
		Gauge
			.builder("agentsessions.database.up", this, (asked) -> asked.health().getStatus().equals(Status.UP) ? 1 : 0)
			.description("1 if the database can be reached, 0 if not")
			.register(registry);
	}

	@Override
	public Health health() {
		Health health = await(check());
		tell(health);
		return health;
	}

	private static Health await(CompletableFuture<Health> check) {
		try {
			return check.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			return down(NO_ANSWER);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return down(NO_ANSWER);
		}
	}

	/** The check that runs, or that has just ended, or else a new one. */
	private synchronized CompletableFuture<Health> check() {
		CompletableFuture<Health> check = this.latest;
		if (check == null || (check.isDone() && System.nanoTime() - this.latestNanoTime > FRESH.toNanos())) {
			check = CompletableFuture.supplyAsync(this::connect, DatabaseHealth::startThread);
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
	 * A pool between us and the database lets anybody in, so something has to be asked.
	 */
	private Health connect() {
		try (Connection connection = DriverManager.getConnection(this.pool.getJdbcUrl(), properties())) {
			return connection.isValid(SECONDS) ? up() : down(NO_ANSWER);
		}
		catch (SQLException ex) {
			return TOO_MANY_CONNECTIONS.equals(ex.getSQLState()) ? up() : down(String.valueOf(ex.getMessage()));
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

	private static Health up() {
		return Health.up().withDetail("database", "PostgreSQL").build();
	}

	private static Health down(String reason) {
		return Health.down().withDetail("error", reason).build();
	}

	/** One line for each change, however often somebody asks. */
	private synchronized void tell(Health health) {
		boolean now = health.getStatus().equals(Status.UP);
		if (this.up && !now) {
			logger.warn("Not ready: {}", health.getDetails().get("error"));
		}
		if (!this.up && now) {
			logger.info("Ready again: the database answers");
		}
		this.up = now;
	}

}
