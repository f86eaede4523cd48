package dev.agentsessions.postgres.event;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes.AppendProperties;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.AppendResult;

/**
 * Stores appends that wait at the same moment in one transaction. Each writer takes all
 * appends that are waiting and does not wait for more: a single append is stored alone
 * and at once. One more writer stores the appends whose rows another transaction has
 * locked.
 */
@Component
class GroupCommit implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(GroupCommit.class);

	private static final long OVERDUE_CHECK_MILLIS = 500;

	private final AppendQueue queue;

	private final int groups;

	private final Supplier<GroupWriter> newWriter;

	private volatile @Nullable ExecutorService writers;

	GroupCommit(AppendProperties properties, AppendStatement statement, LockedRowsStatement lockedRows, Lanes lanes,
			AppendMetrics metrics) {
		this.queue = new AppendQueue(lanes.groups(), properties.waitingBytes());
		this.groups = lanes.groups().connections();
		BlockedAppends blocked = new BlockedAppends();
		this.newWriter = () -> new GroupWriter(this.queue, blocked, properties.groupSize(), statement, lockedRows,
				lanes, metrics);
		metrics.watch(this.queue, blocked);
	}

	/**
	 * Appends, and waits until the event is durably stored.
	 * @return the stored event, empty if it was not stored and has to be tried alone
	 * @throws SessionException.Unavailable if too many appends are waiting, or the
	 * database does not respond
	 */
	Optional<AppendResult> append(QueuedAppend append) {
		this.queue.add(append);
		return append.stored().await();
	}

	@Override
	public void start() {
		ExecutorService threads = Executors.newFixedThreadPool(this.groups + 2,
				new CustomizableThreadFactory("append-"));
		for (int number = 0; number < this.groups; number++) {
			threads.execute(() -> repeat(this.newWriter.get()::storeNextGroup));
		}
		threads.execute(() -> repeat(this.newWriter.get()::storeNextBlocked));
		threads.execute(() -> repeat(this::refuseOverdue));
		this.writers = threads;
	}

	/**
	 * Fails overdue appends also while all writers wait for a database that does not
	 * respond.
	 */
	private void refuseOverdue() throws InterruptedException {
		Thread.sleep(OVERDUE_CHECK_MILLIS);
		this.queue.refuseOverdue();
	}

	/** Repeats work until the service stops; no exception ends the thread. */
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

	/** Starts before the web server, and stops after it has sent its last response. */
	@Override
	public int getPhase() {
		return 0;
	}

	/** The work that a thread repeats. */
	private interface Work {

		void run() throws InterruptedException;

	}

}
