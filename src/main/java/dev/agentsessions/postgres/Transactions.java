package dev.agentsessions.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.jdbc.SQLWarningException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.postgres.Lanes.WriteLanes;
import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Runs transactions and single statements. It retries after a deadlock or a serialization
 * failure, after which nothing was written, at most five times. For a database that times
 * out or reports an internal error it throws {@link SessionException.Unavailable}.
 *
 * <p>
 * With synchronous replicas, a transaction that writes returns normally only if they have
 * everything that it has written <em>and read</em>. PostgreSQL also shows transactions
 * that no replica has: those whose wait for the replica was cancelled, or that a restart
 * found in the log. So a caller that finds its work done already must not say so after a
 * read alone.
 */
@Component
public class Transactions {

	/** The code of a write to a standby, or to a database that was set to read-only. */
	private static final String READ_ONLY_STATE = "25006";

	/**
	 * The code of a row that was locked for longer than {@code lock_timeout}. Spring's
	 * exceptions do not distinguish it.
	 */
	private static final String LOCKED_STATE = "55P03";

	private static final RetryPolicy RETRY = RetryPolicy.builder()
		.includes(ConcurrencyFailureException.class)
		.predicate((failure) -> !isCausedBy(LOCKED_STATE, failure))
		.maxRetries(5)
		.delay(Duration.ofMillis(5))
		.jitter(Duration.ofMillis(5))
		.multiplier(2)
		.build();

	/** How long a statement waits for a row lock before it gives its connection back. */
	public static final String LOCK_TIMEOUT = "100ms";

	/** Sets {@link #LOCK_TIMEOUT} until the transaction ends. */
	public static final String LIMIT_LOCK_WAITS = "set local lock_timeout = '" + LOCK_TIMEOUT + "'";

	private static final String ONE_SNAPSHOT = "set transaction isolation level repeatable read";

	private static final String READ_ONLY = "The database is read-only, so nothing can be written. Reads work. "
			+ "An operator has to make it writable, or connect the service to its primary server.";

	private final RetryTemplate retry = new RetryTemplate(RETRY);

	private final TransactionTemplate writing;

	private final TransactionTemplate reading;

	private final JdbcTemplate jdbc;

	private final WriteLanes writes;

	private final Lane reads;

	private final ResponseHeap memory;

	private final String commit;

	Transactions(PlatformTransactionManager transactionManager, JdbcTemplate jdbc, DatabaseTimeouts timeouts,
			WriteLanes writes, Lanes lanes, Placement placement, ResponseHeap memory) {
		this.memory = memory;
		this.writes = writes;
		this.reads = lanes.reads();
		this.commit = placement.commit();
		this.writing = new TransactionTemplate(transactionManager);
		this.reading = new TransactionTemplate(transactionManager);
		this.reading.setReadOnly(true);
		this.writing.setTimeout(timeouts.secondsOfTransaction());
		this.reading.setTimeout(timeouts.secondsOfTransaction());
		this.jdbc = jdbc;
	}

	/**
	 * Runs statements that write in one transaction. Repeats it while a row is locked,
	 * until the time-out.
	 */
	public <T> T write(Supplier<T> statements) {
		return written(this.writes.run(() -> once(statements)));
	}

	/**
	 * Runs statements that write in one transaction, one request at a time for each key.
	 * Repeats it while a row is locked, until the time-out.
	 * @param key the key of the session or of the owner of the state that they write to
	 */
	public <T> T write(UUID key, Supplier<T> statements) {
		return serialize(key, () -> once(statements));
	}

	/**
	 * Runs statements as {@link #write(UUID, Supplier)}, the first of which begins with
	 * {@link #LIMIT_LOCK_WAITS}. This saves a round trip.
	 */
	public <T> T writeLimitingLockWaits(UUID key, Supplier<T> statements) {
		return serialize(key, () -> transaction(statements));
	}

	/**
	 * Runs statements that write what they read, in one transaction, in which all read
	 * the same snapshot. If others change a row that they lock, it is repeated with
	 * another snapshot, at most five times.
	 */
	public <T> T writeFromSnapshot(Supplier<T> statements) {
		return write(() -> {
			this.jdbc.execute(ONE_SNAPSHOT);
			return statements.get();
		});
	}

	/** Waits until the synchronous replicas have everything that was read before. */
	public void confirmReads() {
		write(() -> true);
	}

	/**
	 * Runs a write, one request at a time for each key. Repeats it while a row is locked,
	 * until the time-out.
	 * @param key the key of the session or of the owner of the state that it writes to
	 */
	public <T> T serialize(UUID key, Supplier<T> attempt) {
		return written(this.writes.serialize(key, attempt));
	}

	private <T> T written(T result) {
		this.memory.written();
		return result;
	}

	/**
	 * Runs statements that write in one transaction, once.
	 * @throws RowLockedException if another transaction keeps a row locked for longer
	 * than {@link #LOCK_TIMEOUT}
	 */
	public <T> T once(Supplier<T> statements) {
		return transaction(() -> {
			this.jdbc.execute(LIMIT_LOCK_WAITS);
			return statements.get();
		});
	}

	private <T> T transaction(Supplier<T> statements) {
		return statement(() -> this.writing.execute((status) -> {
			T result = statements.get();
			commit(status);
			return result;
		}));
	}

	/**
	 * Runs statements that write what a later request can compute again, in one
	 * transaction, once. Its commit waits for no disk and no replica, so reads that keep
	 * an index up to date go on while a replica is away.
	 * @throws RowLockedException as {@link #once}
	 */
	public <T> T onceDerived(Supplier<T> statements) {
		return once(() -> {
			this.jdbc.execute("set local synchronous_commit = off");
			return statements.get();
		});
	}

	/**
	 * Runs statements whose rows count for nothing until a later transaction of the same
	 * request refers to them. Its commit makes them as safe as what it has written
	 * itself: the log has one order. It has to look whether they are there, because the
	 * database may have been restarted in between.
	 */
	public <T> T writeUnreferenced(Supplier<T> statements) {
		return this.writes.run(() -> onceDerived(statements));
	}

	/**
	 * Commits with a statement, because a statement has a time-out and reports warnings;
	 * {@link java.sql.Connection#commit()} would wait for a replica without end. When
	 * Spring calls it later, there is nothing left to commit.
	 */
	private void commit(TransactionStatus status) {
		if (status.isNewTransaction() && !status.isRollbackOnly()) {
			status.flush();
			this.jdbc.execute(this.commit, (PreparedStatement statement) -> statement.execute());
		}
	}

	/**
	 * Runs statements that read the same snapshot. It sets the isolation level within the
	 * transaction and not on the connection, so that a pool between the service and the
	 * database may share the connection.
	 */
	public <T> T read(Supplier<T> statements) {
		return statement(() -> this.reading.execute((status) -> {
			this.jdbc.execute(ONE_SNAPSHOT);
			return statements.get();
		}));
	}

	/**
	 * Runs a single statement, which is its own transaction: with the connection of the
	 * lane in which this thread works, or else of the lane of reads.
	 */
	public <T> T statement(Supplier<T> statement) {
		try {
			return Lane.isEntered() ? this.retry.invoke(statement) : this.reads.run(() -> this.retry.invoke(statement));
		}
		catch (DataAccessException | TransactionException ex) {
			throw translate(ex);
		}
	}

	private static RuntimeException translate(RuntimeException ex) {
		if (isCausedBy(LOCKED_STATE, ex)) {
			return new RowLockedException(ex);
		}
		if (isCausedBy(READ_ONLY_STATE, ex)) {
			return new SessionException.Unavailable(READ_ONLY, ex);
		}
		if (ex instanceof QueryTimeoutException || ex instanceof TransactionTimedOutException
				|| ex instanceof SQLWarningException) {
			return new SessionException.Unavailable(Lanes.TOO_SLOW, ex);
		}
		boolean unavailable = ex instanceof TransientDataAccessException
				|| ex instanceof DataAccessResourceFailureException || ex instanceof UncategorizedDataAccessException
				|| ex instanceof TransactionException;
		return unavailable ? new SessionException.Unavailable(ex) : ex;
	}

	private static boolean isCausedBy(String state, Throwable failure) {
		return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
				&& state.equals(sql.getSQLState());
	}

}
