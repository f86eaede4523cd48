package dev.agentsessions.session.memory;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.agentsessions.session.SessionException;

/**
 * A part of the heap from which requests take before they keep something, and to which
 * they give back when they end. Who does not get a share soon may try again.
 */
public final class MemoryBudget {

	private static final int KILOBYTE = 1024;

	private static final int SECONDS_TO_WAIT = 5;

	private final int total;

	private final Semaphore kilobytes;

	/**
	 * Creates a budget.
	 * @param bytes how much there is for all together
	 */
	public MemoryBudget(long bytes) {
		this.total = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / KILOBYTE));
		this.kilobytes = new Semaphore(this.total, true);
	}

	/** The share of a request that begins; nothing as yet. To be closed when it ends. */
	public Share open() {
		return new Share();
	}

	/** Who needs little does not queue behind who needs much. */
	private boolean acquire(int needed, int seconds) {
		try {
			return this.kilobytes.tryAcquire(needed) || this.kilobytes.tryAcquire(needed, seconds, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** What one request has taken. Of use to one thread. */
	public final class Share implements AutoCloseable {

		private long bytes;

		private int taken;

		private Share() {
		}

		/**
		 * Takes more. A request larger than the whole budget gets all of it and runs
		 * alone.
		 * @throws SessionException.Unavailable if there is not as much soon
		 */
		public void take(long more) {
			take(more, SECONDS_TO_WAIT);
		}

		/**
		 * Takes more without waiting for it.
		 * @throws SessionException.Unavailable if there is not as much
		 */
		public void takeNow(long more) {
			take(more, 0);
		}

		/**
		 * Takes more.
		 * @param seconds how long to wait for it
		 * @throws SessionException.Unavailable if there is not as much by then
		 */
		public void take(long more, int seconds) {
			int needed = Math.max(0, needed(this.bytes + more) - this.taken);
			if (!acquire(needed, seconds)) {
				throw new SessionException.Unavailable("Too many large requests are there at once. Please retry.");
			}
			this.bytes += more;
			this.taken += needed;
		}

		/** How much it has taken. */
		public long bytes() {
			return this.bytes;
		}

		/** Gives back what is more than it had before. */
		public void backTo(long before) {
			int kept = Math.min(this.taken, needed(before));
			MemoryBudget.this.kilobytes.release(this.taken - kept);
			this.taken = kept;
			this.bytes = Math.min(this.bytes, before);
		}

		/** Gives all of it back. */
		@Override
		public void close() {
			backTo(0);
		}

		private int needed(long all) {
			return (int) Math.min(MemoryBudget.this.total, (all + KILOBYTE - 1) / KILOBYTE);
		}

	}

}
