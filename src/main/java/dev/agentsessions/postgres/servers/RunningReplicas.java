package dev.agentsessions.postgres.servers;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.servers.MoveBuckets.MoveException;
import dev.agentsessions.postgres.servers.MoveConnections.MoveConnection;
import dev.agentsessions.postgres.servers.MoveConnections.MoveConnection.Work;

/**
 * The replicas that run while buckets are moved, as the command sees them in the table
 * {@code replicas}. What they do at the locks, {@link Buckets} says.
 */
final class RunningReplicas implements AutoCloseable {

	/** How long the users of a bucket wait until the command copies it, or gives up. */
	private static final Duration MAX_WAIT = Duration.ofSeconds(3);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final int ATTEMPTS = 5;

	/** How long lists of several users may take. */
	private static final Duration MAX_WAIT_FOR_LISTS = Duration.ofMinutes(2);

	private static final long INTERVAL_MILLIS = 50;

	private static final String BUSY = """
			select format('%s (%s, since %s)', id, host, date_trunc('second', since)) from replicas
			where stopped is distinct from cast(? as smallint) order by id
			""";

	private static final String WITHOUT_SERVER = """
			select format('%s (%s)', id, host) from replicas where not (? = any (servers)) order by id
			""";

	private static final String LOCK_STATE_OF_APPS = "set local lock_timeout = " + MAX_WAIT.toMillis();

	private static final String LOCKED = "55P03";

	/** Its transactions hold the locks. */
	private final MoveConnection main;

	/**
	 * Creates it with a connection of its own to the main server, in whose transactions
	 * nothing is copied.
	 */
	RunningReplicas(MoveConnection main) {
		this.main = main;
	}

	/** Executes a statement in the transaction that holds the locks. */
	void execute(String sql, Object... parameters) throws SQLException {
		this.main.execute(sql, parameters);
	}

	/** Forgets replicas that have ended without a word. */
	void forget(Collection<Long> ids) throws SQLException {
		for (long id : ids) {
			if (this.main.execute("delete from replicas where id = ?", id) == 0) {
				throw new MoveException("There is no replica %d in the table 'replicas'.".formatted(id));
			}
		}
	}

	/**
	 * Does work while no replica has a call for a user of a bucket, and none changes the
	 * state of an app. The locks end with the transaction of this connection to the main
	 * server, which commits after the work.
	 * @param target the server that all replicas have to know
	 */
	<T> T whileStopped(int bucket, MoveConnection target, Work<T> work) throws SQLException {
		return patiently(() -> {
			lock(bucket);
			List<String> busy = await(bucket, MAX_WAIT);
			if (!busy.isEmpty()) {
				throw new NotYetException(
						"Replicas that did not stop bucket %d in time: %s. ".formatted(bucket, text(busy))
								+ "If one does not run any more, repeat the command with --without= and its number. "
								+ "Else a request takes long: repeat the command.");
			}
			refuseReplicasWithout(target);
			return withStateOfApps(work);
		});
	}

	/** Does work while no replica changes the state of an app. */
	<T> T whileStateOfAppsStays(Work<T> work) throws SQLException {
		return patiently(() -> withStateOfApps(work));
	}

	private <T> T patiently(Work<T> work) throws SQLException {
		int attempt = 1;
		while (true) {
			try {
				return this.main.inTransaction(work);
			}
			catch (NotYetException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
				attempt++;
				sleep(PAUSE.toMillis());
			}
		}
	}

	private <T> T withStateOfApps(Work<T> work) throws SQLException {
		this.main.execute(LOCK_STATE_OF_APPS);
		try {
			lock(Buckets.STATE_OF_APPS);
		}
		catch (SQLException ex) {
			if (LOCKED.equals(ex.getSQLState())) {
				throw new NotYetException("A change of the state of an app takes too long. Repeat the command.");
			}
			throw ex;
		}
		long changes = this.main.query(Long.class, "select count(*) from app_state_changes").get(0);
		if (changes > 0) {
			throw new NotYetException("%d changes of the state of apps are not on all servers yet (app_state_changes). "
				.formatted(changes) + "Wait until a replica has copied them, and repeat the command.");
		}
		return work.run();
	}

	private void lock(int number) throws SQLException {
		this.main.query(String.class, "select cast(pg_advisory_xact_lock(?, ?) as text)", Buckets.LOCK, number);
	}

	private void refuseReplicasWithout(MoveConnection target) throws SQLException {
		List<String> without = this.main.query(String.class, WITHOUT_SERVER, target.name());
		if (!without.isEmpty()) {
			throw new MoveException(
					"Replicas whose settings have no server '%s': %s. ".formatted(target.name(), text(without))
							+ "Set it for all replicas first.");
		}
	}

	/**
	 * Waits until no replica has a call that began before it knew where the buckets are
	 * now, so that rows elsewhere can be deleted.
	 */
	void awaitLists() throws SQLException {
		List<String> busy = await(null, MAX_WAIT_FOR_LISTS);
		if (!busy.isEmpty()) {
			throw new MoveException(
					"Replicas that may still read the moved users from the old server: %s. ".formatted(text(busy))
							+ "If one does not run any more, repeat the command with --without= and its "
							+ "number. Else repeat the command.");
		}
	}

	/** Returns the replicas that do not say this in time. */
	private List<String> await(@Nullable Integer stopped, Duration time) throws SQLException {
		long end = System.nanoTime() + time.toNanos();
		List<String> busy = busy(stopped);
		while (!busy.isEmpty() && System.nanoTime() < end) {
			sleep(INTERVAL_MILLIS);
			busy = busy(stopped);
		}
		return busy;
	}

	private List<String> busy(@Nullable Integer stopped) throws SQLException {
		return this.main.query(String.class, BUSY, stopped);
	}

	private static String text(List<String> replicas) {
		return String.join(", ", replicas);
	}

	private static void sleep(long millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new MoveException("The command was interrupted. Repeat it.");
		}
	}

	@Override
	public void close() throws SQLException {
		this.main.close();
	}

	/** Something has to wait, and may succeed when it is tried again. */
	private static final class NotYetException extends MoveException {

		NotYetException(String message) {
			super(message);
		}

	}

}
