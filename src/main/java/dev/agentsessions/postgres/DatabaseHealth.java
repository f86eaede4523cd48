package dev.agentsessions.postgres;

import java.sql.SQLException;
import java.time.Duration;
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

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StoreHealth;

/**
 * Tells whether the database can be reached, soon also when it says nothing at all.
 * Requests that ask at once share one check. When connections are refused, or two checks
 * in a row get no answer, requests are refused at once, until a check succeeds. A check
 * is due when a probe asks, when a request fails or waits for a connection, and every
 * second while the database is away: so it is missed and found again also where no probe
 * asks.
 */
@Component("dbHealthContributor")
class DatabaseHealth implements HealthIndicator, StoreHealth {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseHealth.class);

	/** So long, who asks waits for an answer. */
	private static final Duration PATIENCE = Duration.ofMillis(1500);

	/** So long, the answer of a check is good for those who ask how the database is. */
	private static final Duration FRESH = Duration.ofSeconds(1);

	/** The same for requests that have failed since. */
	private static final Duration JUST_NOW = Duration.ofMillis(100);

	private final ImpatientDataSource connections;

	private final HikariDataSource pool;

	private final DatabaseCheck check;

	/** Guarded by this. */
	private @Nullable CompletableFuture<Health> latest;

	/** Guarded by this. */
	private long latestNanoTime;

	/** Only checks, of which there is one at a time, use it. */
	private volatile boolean failedBefore;

	DatabaseHealth(DataSource dataSource, MeterRegistry registry) throws SQLException {
		this.connections = dataSource.unwrap(ImpatientDataSource.class);
		this.pool = dataSource.unwrap(HikariDataSource.class);
		this.check = new DatabaseCheck(this.pool);
		Gauge
			.builder("agentsessions.database.up", this, (asked) -> asked.health().getStatus().equals(Status.UP) ? 1 : 0)
			.description("1 if the database can be reached, 0 if not")
			.register(registry);
	}

	@Override
	public Health health() {
		return await(check(FRESH));
	}

	@Override
	public boolean explains(SessionException.Unavailable failure) {
		boolean ofDatabase = NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException;
		if (ofDatabase && !this.connections.isAway()) {
			await(check(JUST_NOW));
		}
		return ofDatabase && this.connections.isAway();
	}

	/** Looks whether a check is due that nobody has asked for. */
	void look() {
		if (this.connections.isAway() || isWaitedFor()) {
			check(FRESH);
		}
	}

	/** A pool that nothing has asked for a connection yet does not tell. */
	private boolean isWaitedFor() {
		HikariPoolMXBean started = this.pool.getHikariPoolMXBean();
		return started != null && started.getThreadsAwaitingConnection() > 0;
	}

	private static Health await(CompletableFuture<Health> check) {
		try {
			return check.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			return DatabaseCheck.down(DatabaseCheck.NO_ANSWER);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return DatabaseCheck.down(DatabaseCheck.NO_ANSWER);
		}
	}

	/** The check that runs, or that began not long ago, or else a new one. */
	private synchronized CompletableFuture<Health> check(Duration fresh) {
		CompletableFuture<Health> check = this.latest;
		if (check == null || (check.isDone() && System.nanoTime() - this.latestNanoTime > fresh.toNanos())) {
			check = CompletableFuture.supplyAsync(() -> tell(this.check.connect()), DatabaseHealth::startThread);
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
	 * One line for each change. There is one check at a time. A check that gets no answer
	 * in time counts only if the one before got none, either.
	 */
	private Health tell(DatabaseCheck.Outcome outcome) {
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

}
