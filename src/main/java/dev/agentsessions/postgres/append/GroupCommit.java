package dev.agentsessions.postgres.append;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.AppendProperties;
import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.AppendResult;

/**
 * Has appends that wait at the same moment go to the database together. Each writer takes
 * whatever is waiting, so nobody waits for company: an append that comes alone goes
 * alone, at once. One more writer has those that wait for a row that somebody holds.
 */
@Component
class GroupCommit implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(GroupCommit.class);

	private static final long MILLIS_BETWEEN_LOOKS = 500;

	private final AppendProperties properties;

	private final AppendStatement statement;

	private final LockedRowsStatement lockedRows;

	private final DatabaseTimeouts timeouts;

	private final AppendMetrics metrics;

	private final AppendQueue queue;

	private final BlockedAppends locked = new BlockedAppends();

	private volatile @Nullable ExecutorService writers;

	GroupCommit(AppendProperties properties, AppendStatement statement, LockedRowsStatement lockedRows,
			DatabaseTimeouts timeouts, AppendMetrics metrics) {
		this.properties = properties;
		this.statement = statement;
		this.lockedRows = lockedRows;
		this.timeouts = timeouts;
		this.metrics = metrics;
		this.queue = new AppendQueue(properties.waitingBytes());
		metrics.watch(this.queue, this.locked);
	}

	/**
	 * Appends, and waits until the event is durably stored. It does not look at the
	 * clock: a timer for each append cost a tenth of them. Whatever an append waits for
	 * has a limit of its own: its turn in the queue, a held row, the statement.
	 * @return the event, empty if it was not stored and has to be tried alone
	 * @throws SessionException.Unavailable if too many appends are waiting, or the
	 * database does not answer
	 */
	Optional<AppendResult> append(QueuedAppend append) {
		this.queue.add(append);
		try {
			return append.stored().get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof SessionException cause) ? cause : new SessionException.Unavailable(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			SessionException.Unavailable failure = new SessionException.Unavailable(Transactions.TOO_SLOW, ex);
			append.fail(failure);
			throw failure;
		}
	}

	@Override
	public void start() {
		int count = this.properties.writers();
		ExecutorService threads = Executors.newFixedThreadPool(count + 2, new CustomizableThreadFactory("append-"));
		for (int number = 0; number < count; number++) {
			GroupWriter writer = new GroupWriter(this.queue, this.locked, this.properties.groupSize(), this.statement,
					this.lockedRows, this.timeouts, this.metrics);
			threads.execute(() -> repeat(writer::storeNextGroup));
		}
		BlockedAppendWriter writer = new BlockedAppendWriter(this.queue, this.locked, this.statement, this.lockedRows,
				this.timeouts, this.metrics);
		threads.execute(() -> repeat(writer::tryNext));
		threads.execute(() -> repeat(this::refuseOverdue));
		this.writers = threads;
	}

	/** Also while all writers wait for a database that does not answer. */
	private void refuseOverdue() throws InterruptedException {
		Thread.sleep(MILLIS_BETWEEN_LOOKS);
		this.queue.refuseOverdue(this.timeouts);
	}

	/** Nothing ends a writer but the end of the service. */
	private static void repeat(Work work) {
		while (!Thread.currentThread().isInterrupted()) {
			try {
				work.run();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (RuntimeException | Error ex) {
				logger.error("Appends failed, and the next ones are tried", ex);
			}
		}
	}

	@Override
	public void stop() {
		ExecutorService threads = this.writers;
		if (threads != null) {
			threads.shutdownNow();
			this.writers = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.writers != null;
	}

	/** Before the web server starts, and after it has answered its last request. */
	@Override
	public int getPhase() {
		return 0;
	}

	/** What a writer does again and again. */
	private interface Work {

		void run() throws InterruptedException;

	}

}
