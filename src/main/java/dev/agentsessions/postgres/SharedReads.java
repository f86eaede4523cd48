package dev.agentsessions.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Reads that wait at the same moment share a statement. Each statement takes all reads
 * that wait, up to a maximum, and none waits for more reads: a single read is executed
 * alone and at once. A statement begins after all of its reads, so each read sees all
 * transactions that committed before the read began.
 *
 * <p>
 * A shared statement may read a few times as much as a read alone: each of its reads gets
 * a part of this ({@link #limit}).
 *
 * @param <Q> what to read
 * @param <R> the rows of one read
 */
public final class SharedReads<Q, R> {

	/**
	 * The number of statements at the same time. More of them would have fewer reads
	 * each.
	 */
	private static final int STATEMENTS = 2;

	/** A shared statement may read this number of times as much as a read alone. */
	private static final int SIZE = 4;

	private final Queue<Read<Q, R>> waiting = new ConcurrentLinkedQueue<>();

	private final Semaphore statements = new Semaphore(STATEMENTS);

	private final ReaderThreads threads;

	private final Function<List<Q>, List<R>> statement;

	private final int maxGroup;

	/**
	 * Creates shared reads.
	 * @param statement executes one or more reads; returns the rows of each read, in the
	 * order of the reads
	 * @param maxGroup the maximum number of reads in a statement
	 */
	public SharedReads(ReaderThreads threads, Function<List<Q>, List<R>> statement, int maxGroup) {
		this.threads = threads;
		this.statement = statement;
		this.maxGroup = maxGroup;
	}

	/**
	 * Reads rows, within a transaction alone and on the thread of the caller.
	 * @throws dev.agentsessions.session.SessionException.Unavailable if no thread takes
	 * the read in time
	 */
	public R read(Q query) {
		if (!this.threads.areUsed()) {
			return readAlone(query);
		}
		Waiting<R> result = new Waiting<>();
		this.waiting.add(new Read<>(query, result));
		// Otherwise a thread with a permit looks for reads once it has given it back
		if (this.statements.availablePermits() > 0) {
			this.threads.execute(this::readWaiting);
		}
		return result.await();
	}

	private R readAlone(Q query) {
		return this.statement.apply(List.of(query)).get(0);
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

	private List<Read<Q, R>> takeGroup() {
		List<Read<Q, R>> group = new ArrayList<>(this.maxGroup);
		while (group.size() < this.maxGroup) {
			Read<Q, R> next = this.waiting.poll();
			if (next == null) {
				break;
			}
			if (!next.result.refuseIfLate(this.threads.lane())) {
				group.add(next);
			}
		}
		return group;
	}

	private void execute(List<Read<Q, R>> group) {
		if (group.size() > 1) {
			try {
				List<R> rows = this.statement.apply(group.stream().map(Read::query).toList());
				for (int index = 0; index < group.size(); index++) {
					group.get(index).result.complete(rows.get(index));
				}
				return;
			}
			catch (RuntimeException | Error ex) {
				// One of the reads may be the cause, so each is executed alone
			}
		}
		group.forEach((one) -> one.result.run(this.threads.lane(), () -> readAlone(one.query)));
	}

	/**
	 * Returns the limit for each read of a group.
	 * @param limit the limit for a read alone
	 */
	public static long limit(long limit, int groupSize) {
		return Math.min(limit, limit * SIZE / groupSize);
	}

	private record Read<Q, R>(Q query, Waiting<R> result) {
	}

}
