package dev.agentsessions.postgres;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.agentsessions.session.SessionException;

/**
 * Runs reads on a few platform threads, while the requests wait in their virtual threads.
 * A virtual thread that waits for a socket costs more processor time than the wait of a
 * platform thread.
 *
 * <p>
 * There is one thread more than the pool has connections. So while all connections are in
 * use, one thread waits for a connection. If the database is away, the pool refuses this
 * thread at once, and so the queue is empty at once. A read waits for a thread at most as
 * long as it then waits for a connection.
 */
@Component
class ReaderThreads implements AutoCloseable {

	/** More reads than this run on the threads of their callers. */
	private static final int MAX_WAITING_READS = 1000;

	/** {@code null} if requests do not run in virtual threads. */
	private final @Nullable ExecutorService threads;

	private final Duration maxWait;

	@Autowired
	ReaderThreads(DataSource dataSource, Environment environment) throws SQLException {
		HikariDataSource pool = dataSource.unwrap(HikariDataSource.class);
		this.threads = Threading.VIRTUAL.isActive(environment) ? threads(pool.getMaximumPoolSize() + 1) : null;
		this.maxWait = Duration.ofMillis(pool.getConnectionTimeout());
	}

	ReaderThreads(int count, Duration maxWait) {
		this.threads = threads(count);
		this.maxWait = maxWait;
	}

	private static ExecutorService threads(int count) {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("read-");
		threads.setDaemon(true);
		return new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING_READS),
				threads, (read, executor) -> read.run());
	}

	/**
	 * Runs a read and waits for its result. Within a transaction it runs on the thread of
	 * the caller, which has the connection of the transaction.
	 * @throws SessionException.Unavailable if no thread takes the read in time, or the
	 * caller is interrupted
	 */
	<T> T run(Supplier<T> statement) {
		if (this.threads == null || TransactionSynchronizationManager.isActualTransactionActive()) {
			return statement.get();
		}
		Read<T> read = new Read<>(statement, this.maxWait);
		this.threads.execute(read);
		return read.await();
	}

	/** Ends the threads after the waiting reads. Later reads run on their callers. */
	@Override
	public void close() {
		if (this.threads != null) {
			this.threads.shutdown();
		}
	}

	/** A read that may wait for a thread. */
	private static final class Read<T> extends CompletableFuture<T> implements Runnable {

		private final Supplier<T> statement;

		private final long latestNanoTime;

		Read(Supplier<T> statement, Duration maxWait) {
			this.statement = statement;
			this.latestNanoTime = System.nanoTime() + maxWait.toNanos();
		}

		@Override
		public void run() {
			try {
				refuseIfLate();
				complete(this.statement.get());
			}
			catch (RuntimeException | Error ex) {
				completeExceptionally(ex);
			}
		}

		private void refuseIfLate() {
			if (isDone() || System.nanoTime() - this.latestNanoTime > 0) {
				throw new SessionException.Unavailable(
						new SQLTransientConnectionException("No thread was free in time to read"));
			}
		}

		T await() {
			try {
				return get();
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof Error error) {
					throw error;
				}
				throw (ex.getCause() instanceof RuntimeException failure) ? failure : new IllegalStateException(ex);
			}
			catch (InterruptedException ex) {
				cancel(false);
				Thread.currentThread().interrupt();
				throw new SessionException.Unavailable(Transactions.TOO_SLOW, ex);
			}
		}

	}

}
