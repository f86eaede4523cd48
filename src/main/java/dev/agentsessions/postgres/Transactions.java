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
 * Runs what the store does against the database. A deadlock or serialization failure,
 * after which nothing was written, is tried again a few times; a database that does not
 * answer, or is at a loss itself, is reported as such.
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

	/** So long, a writer waits for a locked row at a time, and keeps a connection. */
	public static final String LOCK_TIMEOUT = "100ms";

	public static final String TOO_SLOW = "The session store did not answer in time. "
			+ "Please retry; an event with an id is stored once, however often it is sent.";

	private static final String READ_ONLY = "The database is read-only, so nothing can be written. Reads work. "
			+ "Somebody has to make it writable, or name its primary server to the service.";

	private final RetryTemplate retry = new RetryTemplate(RETRY);

	private final TransactionTemplate writing;

	private final TransactionTemplate reading;

	private final JdbcTemplate jdbc;

	private final WriteGate directWrites;

	Transactions(PlatformTransactionManager transactionManager, JdbcTemplate jdbc, DatabaseTimeouts timeouts,
			WriteGate directWrites) {
		this.directWrites = directWrites;
		this.writing = new TransactionTemplate(transactionManager);
		this.reading = new TransactionTemplate(transactionManager);
		this.reading.setReadOnly(true);
		this.writing.setTimeout(timeouts.secondsOfTransaction());
		this.reading.setTimeout(timeouts.secondsOfTransaction());
		this.jdbc = jdbc;
	}

	/**
	 * Runs statements that write together, again and again while they meet locked rows.
	 */
	public <T> T write(Supplier<T> statements) {
		return this.directWrites.run(() -> once(statements));
	}

	/**
	 * Runs statements that write together, one request at a time.
	 * @param turn the session or the owner of a state that they write to
	 */
	public <T> T write(UUID turn, Supplier<T> statements) {
		return inTurn(turn, () -> once(statements));
	}

	/**
	 * Writes, one request at a time, again and again while it meets locked rows.
	 * @param turn the session or the owner of a state that is written to
	 */
	public <T> T inTurn(UUID turn, Supplier<T> attempt) {
		return this.directWrites.inTurn(turn, attempt);
	}

	/**
	 * Runs statements that write together once.
	 * @throws RowLockedException if they meet a row that somebody holds for long
	 */
	public <T> T once(Supplier<T> statements) {
		return statement(() -> this.writing.execute((status) -> {
			this.jdbc.execute("set local lock_timeout = '" + LOCK_TIMEOUT + "'");
			return statements.get();
		}));
	}

	/**
	 * Runs statements that read the same moment. The isolation level is set within the
	 * transaction and not on the connection, so that a pool between us and the database
	 * may share it.
	 */
	public <T> T read(Supplier<T> statements) {
		return statement(() -> this.reading.execute((status) -> {
			this.jdbc.execute("set transaction isolation level repeatable read");
			return statements.get();
		}));
	}

	/** Runs a single statement, which is a transaction of its own. */
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
