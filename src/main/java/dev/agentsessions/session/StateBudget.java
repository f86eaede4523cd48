package dev.agentsessions.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** How many bytes the state of one scope may grow before its size is looked up again. */
final class StateBudget {

	/** The share of the limit by which a state may grow unseen. */
	private static final int SHARE = 10;

	/** That of a state which is all but full. */
	private static final int LAST_SHARE = 100;

	/** So long, a state that was found full is taken for full without a look. */
	private static final long NANOS_FULL = TimeUnit.SECONDS.toNanos(10);

	private final ReentrantLock lock = new ReentrantLock();

	private final long limit;

	private long remaining;

	private long fullSince = System.nanoTime() - NANOS_FULL;

	StateBudget(long limit) {
		this.limit = limit;
		this.remaining = limit / SHARE;
	}

	/**
	 * Takes so many bytes from the budget.
	 * @param size looks up how large the state is
	 * @return whether the state has room for them
	 */
	boolean spend(long bytes, LongSupplier size) {
		this.lock.lock();
		try {
			return takes(bytes) || (isDue() && renew(size.getAsLong(), bytes));
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Takes a full state for full no longer. */
	void lookAgain() {
		this.lock.lock();
		try {
			this.fullSince = System.nanoTime() - NANOS_FULL;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean takes(long bytes) {
		boolean enough = bytes <= this.remaining;
		this.remaining -= enough ? bytes : 0;
		return enough;
	}

	private boolean isDue() {
		return System.nanoTime() - this.fullSince >= NANOS_FULL;
	}

	private boolean renew(long size, long bytes) {
		if (size + bytes > this.limit) {
			this.fullSince = System.nanoTime();
			return false;
		}
		this.remaining = Math.max(Math.min(this.limit / SHARE, this.limit - size - bytes), this.limit / LAST_SHARE);
		return true;
	}

}
