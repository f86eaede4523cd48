package dev.agentsessions.postgres;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.session.SessionException;

/**
 * Runs transactions and single statements. It retries after a deadlock or a serialization
 * failure, after which nothing was written, at most five times. For a database that times
 * out or reports an internal error it throws {@link SessionException.Unavailable}.
 */
@Component
public class Transactions {

	private static final RetryPolicy RETRY = RetryPolicy.builder()
		.includes(ConcurrencyFailureException.class)
		.predicate((failure) -> !SqlState.LOCKED.isCauseOf(failure))
		.maxRetries(5)
		.delay(Duration.ofMillis(5))
		.jitter(Duration.ofMillis(5))
		.multiplier(2)
		.build();

	/** How long a statement waits for a row lock before it gives its connection back. */
	public static final String LOCK_TIMEOUT = "100ms";

	public static final String TOO_SLOW = "The session store did not answer in time. "
			+ "Please retry; an event with an id is stored once, however often it is sent.";

	private static final String READ_ONLY = "The database is read-only, so nothing can be written. Reads work. "
			+ "An operator has to make it writable, or connect the service to its primary server.";

	private final RetryTemplate retry = new RetryTemplate(RETRY);

	private final TransactionTemplate writing;

	private final TransactionTemplate reading;

	private final JdbcTemplate jdbc;

	private final WriteGate writeGate;

	Transactions(PlatformTransactionManager transactionManager, JdbcTemplate jdbc, DatabaseTimeouts timeouts,
			WriteGate writeGate) {
		this.writeGate = writeGate;
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
		return this.writeGate.run(() -> once(statements));
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
	 * Runs a write, one request at a time for each key. Repeats it while a row is locked,
	 * until the time-out.
	 * @param key the key of the session or of the owner of the state that it writes to
	 */
	public <T> T serialize(UUID key, Supplier<T> attempt) {
		return this.writeGate.serialize(key, attempt);
	}

	/**
	 * Runs statements that write in one transaction, once.
	 * @throws RowLockedException if another transaction keeps a row locked for longer
	 * than {@link #LOCK_TIMEOUT}
	 */
	public <T> T once(Supplier<T> statements) {
		return statement(() -> this.writing.execute((status) -> {
			this.jdbc.execute("set local lock_timeout = '" + LOCK_TIMEOUT + "'");
			return statements.get();
		}));
	}

	/**
	 * Runs statements that read the same snapshot. It sets the isolation level within the
	 * transaction and not on the connection, so that a pool between the service and the
	 * database may share the connection.
	 */
	public <T> T read(Supplier<T> statements) {
		return statement(() -> this.reading.execute((status) -> {
			this.jdbc.execute("set transaction isolation level repeatable read");
			return statements.get();
		}));
	}

	/** Runs a single statement, which is its own transaction. */
	public <T> T statement(Supplier<T> statement) {
		try {
			return this.retry.invoke(statement);
		}
		catch (DataAccessException | TransactionException ex) {
			throw translate(ex);
		}
	}

	private static RuntimeException translate(RuntimeException ex) {
		if (SqlState.LOCKED.isCauseOf(ex)) {
			return new RowLockedException(ex);
		}
		if (SqlState.READ_ONLY.isCauseOf(ex)) {
			return new SessionException.Unavailable(READ_ONLY, ex);
		}
		if (ex instanceof QueryTimeoutException || ex instanceof TransactionTimedOutException) {
			return new SessionException.Unavailable(TOO_SLOW, ex);
		}
		boolean unavailable = ex instanceof TransientDataAccessException
				|| ex instanceof DataAccessResourceFailureException || ex instanceof UncategorizedDataAccessException
				|| ex instanceof TransactionException;
		return unavailable ? new SessionException.Unavailable(ex) : ex;
	}

}
