package dev.agentsessions.postgres.servers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import javax.sql.DataSource;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StoreHealth;

/**
 * Locks on the main server, for work that writes on several servers. A lock is that of a
 * transaction on a connection of its own, besides those of the pool: the work in between
 * uses the connections of the servers.
 */
@Component
@OnSeveralServers
class MainLocks implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(MainLocks.class);

	/** How many locks a replica holds or waits for in the database. */
	private static final int MAX_LOCKS = 4;

	/** How long work waits for a lock. */
	private static final int MAX_WAIT_SECONDS = 30;

	/** The second lock lets a move of a bucket copy the state of apps. */
	private static final String LOCK = "select pg_advisory_xact_lock(?), pg_advisory_xact_lock_shared(%d, %d)"
		.formatted(Buckets.LOCK, Buckets.STATE_OF_APPS);

	/**
	 * Work of this replica that waits for the same lock needs no connection for it.
	 */
	private final LoadingCache<Long, Semaphore> permits = Caffeine.newBuilder()
		.weakValues()
		.build((number) -> new Semaphore(1, true));

	/**
	 * So that work within other work needs no second connection, of which there are few.
	 */
	private final ThreadLocal<@Nullable Connection> ofThread = new ThreadLocal<>();

	private final HikariDataSource connections;

	private final Servers servers;

	MainLocks(Servers servers, DataSource main) throws SQLException {
		this.servers = servers;
		HikariConfig pool = new HikariConfig();
		main.unwrap(HikariDataSource.class).copyStateTo(pool);
		pool.setPoolName("locks");
		pool.setMaximumPoolSize(MAX_LOCKS);
		pool.setMinimumIdle(0);
		pool.setAutoCommit(false);
		pool.setInitializationFailTimeout(-1);
		this.connections = new HikariDataSource(pool);
	}

	/**
	 * Runs work while no other work of any replica has the same number.
	 * @param work gets the transaction that has the lock, which commits when the
	 * outermost work ends, also by an exception; a statement in it fails if the lock is
	 * lost
	 * @throws SessionException.Unavailable if the main server does not answer, or other
	 * work has the lock for longer than {@link #MAX_WAIT_SECONDS}
	 */
	<T> T locked(long number, Function<JdbcClient, T> work) {
		Connection outer = this.ofThread.get();
		try {
			return (outer != null) ? withLock(outer, number, work) : alone(number, work);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SessionException.Unavailable(ex);
		}
		catch (SQLException | DataAccessException ex) {
			throw new SessionException.Unavailable(ex);
		}
	}

	private <T> T alone(long number, Function<JdbcClient, T> work) throws SQLException, InterruptedException {
		if (!this.servers.main().store(StoreHealth.class).responds()) {
			throw new SessionException.Unavailable("The main server does not answer. Please retry.");
		}
		Semaphore permit = this.permits.get(number);
		if (!permit.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
			throw new SessionException.Unavailable("Too many changes of the app wait for each other. Please retry.");
		}
		try (Connection connection = this.connections.getConnection()) {
			this.ofThread.set(connection);
			try {
				return withLock(connection, number, work);
			}
			finally {
				this.ofThread.remove();
				commit(connection);
			}
		}
		finally {
			permit.release();
		}
	}

	private static <T> T withLock(Connection connection, long number, Function<JdbcClient, T> work)
			throws SQLException {
		try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
			lock.setQueryTimeout(MAX_WAIT_SECONDS);
			lock.setLong(1, number);
			lock.execute();
		}
		return work.apply(JdbcClient.create(new SingleConnectionDataSource(connection, true)));
	}

	/**
	 * The work is done whether or not this succeeds, so its result counts. What the
	 * transaction has written is only that nothing is left to do.
	 */
	private static void commit(Connection connection) {
		try {
			connection.commit();
		}
		catch (SQLException ex) {
			logger.warn("A lock on the main server was lost: {}", String.valueOf(ex.getMessage()));
		}
	}

	@Override
	public void destroy() {
		this.connections.close();
	}

}
