package dev.agentsessions.postgres.servers;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.servers.MoveBuckets.MoveException;
import dev.agentsessions.postgres.servers.MoveConnections.MoveConnection;
import dev.agentsessions.postgres.servers.MoveConnections.MoveConnection.Work;

/**
 * The replicas that run while buckets are moved, as the command sees them in the table
 * {@code replicas}, where each has its {@link OwnRow}. What they do at the locks,
 * {@link Buckets} says.
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
			where seen <> ? order by id
			""";

	private static final String WITHOUT_SERVER = """
			select format('%s (%s)', id, host) from replicas where not (? = any (servers)) order by id
			""";

	/** So that the server soon notices that the machine of the command is gone. */
	private static final List<String> OPTIONS = List.of("set lock_timeout = " + MAX_WAIT.toMillis(),
			"set tcp_keepalives_idle = 5", "set tcp_keepalives_interval = 5", "set tcp_keepalives_count = 3");

	private static final String LOCKED = "55P03";

	private static final String ASK = "If one does not run any more, repeat the command with --without= and its number. "
			+ "Else a request takes long: repeat the command.";

	/** Holds the locks. */
	private final MoveConnection main;

	/** The number of the last step; 0 for none. */
	private int step;

	/**
	 * Creates it with a connection of its own to the main server, by which nothing is
	 * copied.
	 */
	RunningReplicas(MoveConnection main) throws SQLException {
		this.main = main;
		for (String option : OPTIONS) {
			main.execute(option);
		}
	}

	/** Forgets replicas that have ended without a word. */
	void forget(Collection<Long> ids) throws SQLException {
		for (long id : ids) {
			if (this.main.execute("delete from replicas where id = ?", id) == 0) {
				throw new MoveException("There is no replica %d in the table 'replicas'.".formatted(id));
			}
			// One that runs after all is there again
			sleep(PAUSE.toMillis());
		}
	}

	/**
	 * Copies a bucket while no replica has a call for one of its users, and none changes
	 * the state of an app; names its new server; and returns when each replica knows it.
	 * @param target the server that all replicas have to know
	 * @param copy copies the rows
	 * @param name writes the name by {@link #locks}, within a transaction
	 */
	<T> T whileStopped(int bucket, MoveConnection target, Work<T> copy, Work<?> name) throws SQLException {
		return patiently(() -> {
			refuseReplicasWithout(target);
			lock(Buckets.LOCK, bucket);
			List<String> busy = step(MAX_WAIT);
			if (!busy.isEmpty()) {
				throw new NotYetException(
						"Replicas that did not stop bucket %d in time: %s. ".formatted(bucket, text(busy)) + ASK);
			}
			// Another replica may have started since
			refuseReplicasWithout(target);
			lockStateOfApps();
			T copied = copy.run();
			name(name);
			step(MAX_WAIT);
			return copied;
		});
	}

	/**
	 * Returns the connection to the main server that has the locks: what it writes is
	 * written only if they have held until then.
	 */
	MoveConnection locks() {
		return this.main;
	}

	/** Does work while no replica changes the state of an app. */
	<T> T whileStateOfAppsStays(Work<T> work) throws SQLException {
		return patiently(() -> {
			lockStateOfApps();
			return work.run();
		});
	}

	private <T> T patiently(Work<T> work) throws SQLException {
		int attempt = 1;
		while (true) {
			try {
				return work.run();
			}
			catch (NotYetException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
				attempt++;
			}
			finally {
				unlock();
			}
			sleep(PAUSE.toMillis());
		}
	}

	private void name(Work<?> name) throws SQLException {
		unlessLocked("A transaction, perhaps a dump of the main server, keeps the table 'buckets' locked. "
				+ "Repeat the command when it has ended.", () -> this.main.inTransaction(name));
	}

	private static <T> T unlessLocked(String message, Work<T> work) throws SQLException {
		try {
			return work.run();
		}
		catch (SQLException ex) {
			if (LOCKED.equals(ex.getSQLState())) {
				throw new NotYetException(message);
			}
			throw ex;
		}
	}

	private void lockStateOfApps() throws SQLException {
		unlessLocked("A change of the state of an app takes too long. Repeat the command.", () -> {
			lock(Buckets.LOCK, Buckets.STATE_OF_APPS);
			return true;
		});
		long changes = this.main.query(Long.class, "select count(*) from app_state_changes").get(0);
		if (changes > 0) {
			throw new NotYetException("%d changes of the state of apps are not on all servers yet (app_state_changes). "
				.formatted(changes) + "Wait until a replica has copied them, and repeat the command.");
		}
	}

	private void lock(int first, int second) throws SQLException {
		this.main.query(String.class, "select cast(pg_advisory_lock(?, ?) as text)", first, second);
	}

	private void unlock() throws SQLException {
		this.main.query(String.class, "select cast(pg_advisory_unlock_all() as text)");
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
	 * Waits until no replica has a list that began before it knew where the buckets are
	 * now, so that rows elsewhere can be deleted.
	 */
	void awaitLists() throws SQLException {
		List<String> busy = step(MAX_WAIT_FOR_LISTS);
		unlock();
		if (!busy.isEmpty()) {
			throw new MoveException(
					"Replicas that may still read the moved users from the old server: %s. ".formatted(text(busy))
							+ ASK);
		}
	}

	/**
	 * Begins the next step, and waits for it.
	 * @return the replicas that have not seen it in time
	 */
	private List<String> step(Duration time) throws SQLException {
		int step = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
		if (this.step != 0) {
			this.main.query(String.class, "select cast(pg_advisory_unlock(?, ?) as text)", Buckets.STEP_LOCK,
					this.step);
		}
		lock(Buckets.STEP_LOCK, step);
		this.step = step;
		long end = System.nanoTime() + time.toNanos();
		List<String> busy = this.main.query(String.class, BUSY, step);
		while (!busy.isEmpty() && System.nanoTime() < end) {
			sleep(INTERVAL_MILLIS);
			busy = this.main.query(String.class, BUSY, step);
		}
		return busy;
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

	/** The row of a replica, by which it sees the locks and says what it has seen. */
	static final class OwnRow {

		private static final Logger logger = LoggerFactory.getLogger(OwnRow.class);

		private static final String REGISTER = """
				insert into replicas (host, servers, since) values (?, ?, clock_timestamp()) returning id, since
				""";

		/** A server that was restored gives the same numbers again. */
		private static final String ITSELF = " where id = ? and since = ?";

		private static final String LOOK = """
				select max(cast(objid as int)) filter (where classid = ? and objid < ?) as bucket,
				  max(cast(objid as int)) filter (where classid = ?) as step,
				  (select seen from replicas%s) as seen
				from pg_locks
				where locktype = 'advisory' and objsubid = 2 and granted
				  and database = (select oid from pg_database where datname = current_database())
				""".formatted(ITSELF);

		private static final String SEEN = "update replicas set seen = ?" + ITSELF;

		private static final String END = "delete from replicas" + ITSELF;

		private final Transactions transactions;

		private final JdbcClient jdbc;

		private final List<String> servers;

		private Id id;

		/** Inserts the row. */
		OwnRow(Transactions transactions, JdbcClient jdbc, List<String> servers) {
			this.transactions = transactions;
			this.jdbc = jdbc;
			this.servers = servers;
			this.id = register();
		}

		private Id register() {
			return this.transactions.write(() -> this.jdbc.sql(REGISTER)
				.params(host(), this.servers.toArray(String[]::new))
				.query((row, number) -> new Id(row.getLong("id"), row.getObject("since", OffsetDateTime.class)))
				.single());
		}

		private static String host() {
			try {
				return InetAddress.getLocalHost().getHostName();
			}
			catch (UnknownHostException ex) {
				return "unknown";
			}
		}

		/**
		 * Looks for locks after the row is there: a move sees the row, or the replica
		 * sees the lock.
		 */
		Locked look() {
			Locked locked = find();
			if (locked.seen() != null) {
				return locked;
			}
			logger.warn("A command took this replica for one that has ended, or the main server was restored");
			this.id = register();
			return find();
		}

		private Locked find() {
			return this.transactions.statement(() -> this.jdbc.sql(LOOK)
				.params(Buckets.LOCK, Buckets.STATE_OF_APPS, Buckets.STEP_LOCK, this.id.number, this.id.since)
				.query(Locked.class)
				.single());
		}

		/** Says that the replica has seen a step, and that its calls have ended. */
		void saySeen(int step) {
			this.transactions.write(() -> this.jdbc.sql(SEEN).params(step, this.id.number, this.id.since).update());
		}

		/** Deletes the row, if the main server answers. */
		void end() {
			try {
				this.transactions.write(() -> this.jdbc.sql(END).params(this.id.number, this.id.since).update());
			}
			catch (RuntimeException ex) {
				logger.warn("The row {} of the table replicas stays: {}", this.id.number,
						String.valueOf(ex.getMessage()));
			}
		}

		private record Id(long number, OffsetDateTime since) {
		}

		/**
		 * What the main server says.
		 *
		 * @param bucket the bucket whose lock is held, {@code null} for none
		 * @param step the step whose lock is held, {@code null} for none
		 * @param seen the step that this replica has seen last, {@code null} if it has no
		 * row
		 */
		record Locked(@Nullable Integer bucket, @Nullable Integer step, @Nullable Integer seen) {
		}

	}

	/** Something has to wait, and may succeed when it is tried again. */
	private static final class NotYetException extends MoveException {

		NotYetException(String message) {
			super(message);
		}

	}

}
