package dev.agentsessions.postgres;

import java.time.Duration;
import java.util.function.Supplier;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.DataAccessResourceFailureException;
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
class Transactions {

	private static final RetryPolicy RETRY = RetryPolicy.builder()
		.includes(ConcurrencyFailureException.class)
		.maxRetries(5)
		.delay(Duration.ofMillis(5))
		.jitter(Duration.ofMillis(5))
		.multiplier(2)
		.build();

	private static final String TOO_SLOW = "The session store did not answer in time. "
			+ "Please retry; an event with an id is stored once, however often it is sent.";

	private static final String READ_ONLY = "The database is read-only, so nothing can be written. Reads work. "
			+ "Somebody has to make it writable, or name its primary server to the service.";

	private final RetryTemplate retry = new RetryTemplate(RETRY);

	private final TransactionTemplate writing;

	private final TransactionTemplate reading;

	private final JdbcTemplate jdbc;

	Transactions(PlatformTransactionManager transactionManager, JdbcTemplate jdbc, DatabaseTimeouts timeouts) {
		this.writing = new TransactionTemplate(transactionManager);
		this.reading = new TransactionTemplate(transactionManager);
		this.reading.setReadOnly(true);
		this.writing.setTimeout(timeouts.secondsOfTransaction());
		this.reading.setTimeout(timeouts.secondsOfTransaction());
		this.jdbc = jdbc;
	}

	/** Runs statements that write together. */
	<T> T write(Supplier<T> statements) {
		return statement(() -> this.writing.execute((status) -> statements.get()));
	}

	/** Runs statements that write together and answer nothing. */
	void run(Runnable statements) {
		write(() -> {
			statements.run();
			return true;
		});
	}

	/**
	 * Runs statements that read the same moment. The isolation level is set within the
	 * transaction and not on the connection, so that a pool between us and the database
	 * may share it.
	 */
	<T> T read(Supplier<T> statements) {
		return statement(() -> this.reading.execute((status) -> {
			this.jdbc.execute("set transaction isolation level repeatable read");
			return statements.get();
		}));
	}

	/**
	 * Whether the database was only too slow. Then it has given the statement up, and
	 * others may still succeed.
	 */
	static boolean wasTooSlow(SessionException.Unavailable failure) {
		return failure.getCause() instanceof QueryTimeoutException
				|| failure.getCause() instanceof TransactionTimedOutException;
	}

	/** Runs a single statement, which is a transaction of its own. */
	<T> T statement(Supplier<T> statement) {
		try {
			return this.retry.invoke(statement);
		}
		catch (QueryTimeoutException | TransactionTimedOutException ex) {
			throw new SessionException.Unavailable(TOO_SLOW, ex);
		}
		catch (TransientDataAccessException | DataAccessResourceFailureException | UncategorizedDataAccessException
				| TransactionException ex) {
			throw SqlState.READ_ONLY.isCauseOf(ex) ? new SessionException.Unavailable(READ_ONLY, ex)
					: new SessionException.Unavailable(ex);
		}
	}

}
