package dev.agentsessions.postgres;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.agentsessions.session.SessionException;

/**
 * Runs reads on a few platform threads, while the requests wait in threads of their own.
 * A virtual thread that waits for a socket costs more processor time than the wait of a
 * platform thread. {@link SharedReads} uses the same threads.
 *
 * <p>
 * There are as many threads as the lane of reads has connections. A thread refuses a read
 * that has waited for it longer than reads wait for a connection. So a read waits no
 * longer than the statements that run before it.
 */
@Component
public class ReaderThreads implements AutoCloseable {

	/** More reads than this run on the threads of their callers. */
	private static final int MAX_WAITING_READS = 1000;

	private final Lane lane;

	private final ExecutorService threads;

	ReaderThreads(Lanes lanes) {
		this.lane = lanes.reads();
		CustomizableThreadFactory factory = new CustomizableThreadFactory("read-");
		factory.setDaemon(true);
		int count = this.lane.connections();
		this.threads = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MAX_WAITING_READS), factory, (read, executor) -> read.run());
	}

	/**
	 * Runs a read and waits for its result. Within a transaction it runs on the thread of
	 * the caller, which has the connection of the transaction.
	 * @throws SessionException.Unavailable if no thread takes the read in time, or the
	 * caller is interrupted
	 */
	public <T> T run(Supplier<T> statement) {
		if (!areUsed()) {
			return statement.get();
		}
		Waiting<T> read = new Waiting<>();
		execute(() -> read.run(this.lane, statement));
		return read.await();
	}

	/** Whether {@link #run} runs a read of this thread on another thread. */
	boolean areUsed() {
		return !TransactionSynchronizationManager.isActualTransactionActive();
	}

	/** Runs work on one of the threads. */
	void execute(Runnable work) {
		this.threads.execute(work);
	}

	Lane lane() {
		return this.lane;
	}

	/** Ends the threads after the waiting reads. Later reads run on their callers. */
	@Override
	public void close() {
		this.threads.shutdown();
	}

}
