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
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.agentsessions.postgres.lanes.Lanes;
import dev.agentsessions.session.SessionException;

/**
 * Runs reads on a few platform threads, while the requests wait in threads of their own.
 * A virtual thread that waits for a socket costs more processor time than the wait of a
 * platform thread. {@link SharedReads} uses the same threads.
 *
 * <p>
 * There is one thread more than the pool has connections. So while all connections are in
 * use, one thread waits for a connection. If the database is away, the pool refuses this
 * thread at once, and so the queue is empty at once. A thread refuses a read that has
 * waited for it longer than reads wait for a connection. So a read waits no longer than
 * the statements that run before it.
 */
@Component
class ReaderThreads implements AutoCloseable {

	/** More reads than this run on the threads of their callers. */
	private static final int MAX_WAITING_READS = 1000;

	private final ExecutorService threads;

	private final Duration maxWait;

	@Autowired
	ReaderThreads(DataSource dataSource) throws SQLException {
		this(dataSource.unwrap(HikariDataSource.class));
	}

	private ReaderThreads(HikariDataSource pool) {
		this(pool.getMaximumPoolSize() + 1, Duration.ofMillis(pool.getConnectionTimeout()));
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
		if (!areUsed()) {
			return statement.get();
		}
		Read<T> read = new Read<>(this.maxWait);
		execute(() -> read.run(statement));
		return read.await();
	}

	/** Whether {@link #run} runs a read of this thread on another thread. */
	boolean areUsed() {
		return !TransactionSynchronizationManager.isActualTransactionActive();
	}

	/** Returns a read that waits for a thread. */
	<T> Read<T> newRead() {
		return new Read<>(this.maxWait);
	}

	/** Runs work on one of the threads. */
	void execute(Runnable work) {
		this.threads.execute(work);
	}

	/** Ends the threads after the waiting reads. Later reads run on their callers. */
	@Override
	public void close() {
		this.threads.shutdown();
	}

	/** A read that may wait for a thread. */
	static final class Read<T> extends CompletableFuture<T> {

		private final long latestNanoTime;

		private Read(Duration maxWait) {
			this.latestNanoTime = System.nanoTime() + maxWait.toNanos();
		}

		/**
		 * Runs a statement for the caller that waits, unless it waits too long already.
		 */
		void run(Supplier<T> statement) {
			if (failIfLate()) {
				return;
			}
			try {
				complete(statement.get());
			}
			catch (RuntimeException | Error ex) {
				completeExceptionally(ex);
			}
		}

		/** Fails the read if it has waited too long. Returns whether it has a result. */
		boolean failIfLate() {
			if (System.nanoTime() - this.latestNanoTime > 0) {
				completeExceptionally(new SessionException.Unavailable(
						new SQLTransientConnectionException("No thread was free in time to read")));
			}
			return isDone();
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
				throw new SessionException.Unavailable(Lanes.TOO_SLOW, ex);
			}
		}

	}

}
