package dev.agentsessions.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Reads that wait at the same moment share a statement. Each statement takes all reads
 * that wait, up to a maximum, and none waits for more reads: a single read is executed
 * alone and at once. A statement begins after all of its reads, so each of them sees what
 * was committed before it began.
 *
 * <p>
 * A shared statement may read a few times as much as a read alone: each of its reads gets
 * a part of this. What is larger is read by statements of its own.
 *
 * @param <Q> what to read
 * @param <R> the rows of one read
 */
public final class SharedReads<Q, R extends MemoryBoundedRows> {

	/**
	 * The number of statements at the same time. More of them would have fewer reads
	 * each.
	 */
	private static final int STATEMENTS = 2;

	/** A shared statement may read this number of times as much as a read alone. */
	private static final int SIZE = 4;

	private final Queue<Waiting<Q, R>> waiting = new ConcurrentLinkedQueue<>();

	private final Semaphore statements = new Semaphore(STATEMENTS);

	private final MemoryBoundedReads reads;

	private final ReaderThreads threads;

	private final Transactions transactions;

	private final Statement<Q, R> statement;

	private final int maxGroup;

	SharedReads(MemoryBoundedReads reads, ReaderThreads threads, Transactions transactions, Statement<Q, R> statement,
			int maxGroup) {
		this.reads = reads;
		this.threads = threads;
		this.transactions = transactions;
		this.statement = statement;
		this.maxGroup = maxGroup;
	}

	/**
	 * Reads rows, with a second statement if values were deferred.
	 * @throws SessionException.Unavailable if there is no memory or no thread in time
	 */
	public R read(Q query) {
		return this.reads.read(
				() -> this.threads.areUsed() ? readShared(query) : execute(query, MemoryBoundedReads.DEFER_FROM_BYTES),
				() -> this.threads.run(() -> execute(query, Long.MAX_VALUE)));
	}

	private R readShared(Q query) {
		ReaderThreads.Read<R> read = this.threads.newRead();
		this.waiting.add(new Waiting<>(query, read));
		// Otherwise a thread with a permit looks for reads once it has given it back
		if (this.statements.availablePermits() > 0) {
			this.threads.execute(this::readWaiting);
		}
		return read.await();
	}

	private void readWaiting() {
		while (!this.waiting.isEmpty() && this.statements.tryAcquire()) {
			try {
				execute(takeGroup());
			}
			finally {
				this.statements.release();
			}
		}
	}

	private List<Waiting<Q, R>> takeGroup() {
		List<Waiting<Q, R>> group = new ArrayList<>(this.maxGroup);
		while (group.size() < this.maxGroup) {
			Waiting<Q, R> next = this.waiting.poll();
			if (next == null) {
				break;
			}
			if (!next.read.failIfLate()) {
				group.add(next);
			}
		}
		return group;
	}

	private void execute(List<Waiting<Q, R>> group) {
		if (group.size() > 1) {
			try {
				List<R> rows = execute(group.stream().map(Waiting::query).toList(),
						limit(MemoryBoundedReads.DEFER_FROM_BYTES, group.size()));
				for (int index = 0; index < group.size(); index++) {
					group.get(index).read.complete(rows.get(index));
				}
				return;
			}
			catch (RuntimeException | Error ex) {
				// One of the reads may be the cause, so each is executed alone
			}
		}
		group.forEach((one) -> one.read.run(() -> execute(one.query, MemoryBoundedReads.DEFER_FROM_BYTES)));
	}

	private R execute(Q query, long deferFrom) {
		return execute(List.of(query), deferFrom).get(0);
	}

	private List<R> execute(List<Q> queries, long deferFrom) {
		return this.transactions
			.statement(() -> CountingJdbcTemplate.uncounted(() -> this.statement.execute(queries, deferFrom)));
	}

	/**
	 * Returns the limit for each read of a group.
	 * @param limit the limit for a read alone
	 */
	public static long limit(long limit, int groupSize) {
		return Math.min(limit, limit * SIZE / groupSize);
	}

	/**
	 * Executes reads together.
	 *
	 * @param <Q> what to read
	 * @param <R> the rows of one read
	 */
	@FunctionalInterface
	public interface Statement<Q, R> {

		/**
		 * Executes one or more reads.
		 * @param deferFrom values of this size and larger are deferred, in bytes
		 * @return the rows of each read, in the order of the reads
		 */
		List<R> execute(List<Q> queries, long deferFrom);

	}

	private record Waiting<Q, R>(Q query, ReaderThreads.Read<R> read) {
	}

}
