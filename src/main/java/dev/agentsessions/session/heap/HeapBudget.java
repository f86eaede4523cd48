package dev.agentsessions.session.heap;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.agentsessions.session.SessionException;

/**
 * A part of the heap. Requests take from it before they load data, and give it back when
 * they end. A request that does not get its share in time may be sent again.
 */
public final class HeapBudget {

	private static final int KILOBYTE = 1024;

	/** How many seconds a request waits for its memory. */
	public static final int MAX_WAIT_SECONDS = 5;

	/** How many times its own size a response leaves free for smaller ones. */
	private static final long ROOM_FACTOR = 16;

	/**
	 * Maximum number of waiting responses: each still holds the objects that it is made
	 * of.
	 */
	private static final int MAX_WAITING = 8;

	private final int total;

	private final Semaphore kilobytes;

	private final int halfSize;

	/** In kilobytes, for {@link Share#takeFromHalf}. */
	private final Semaphore half;

	/**
	 * Creates a budget.
	 * @param bytes the size of the budget for all requests together
	 */
	public HeapBudget(long bytes) {
		this.total = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / KILOBYTE));
		this.kilobytes = new Semaphore(this.total, true);
		this.halfSize = Math.max(1, this.total / 2);
		this.half = new Semaphore(this.halfSize, true);
	}

	/**
	 * Opens the share of a request, empty at first. The request closes it when it ends.
	 */
	public Share open() {
		return new Share();
	}

	/** A small request does not queue after large ones. */
	private static void acquire(Semaphore permits, int needed, int seconds) {
		try {
			if (permits.tryAcquire(needed) || permits.tryAcquire(needed, seconds, TimeUnit.SECONDS)) {
				return;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		throw new SessionException.Unavailable("Too many large requests at once. Please retry.");
	}

	/** The memory of one request. Only one thread may use it. */
	public final class Share implements AutoCloseable {

		private long bytes;

		private int taken;

		private int takenOfHalf;

		private Share() {
		}

		/**
		 * Takes more bytes. A request larger than the whole budget gets all of it and
		 * runs alone.
		 * @throws SessionException.Unavailable if they are not available within 5 seconds
		 */
		public void take(long more) {
			take(more, MAX_WAIT_SECONDS);
		}

		/**
		 * Takes more bytes without waiting for them.
		 * @throws SessionException.Unavailable if they are not available
		 */
		public void takeNow(long more) {
			take(more, 0);
		}

		/**
		 * Takes more bytes.
		 * @param seconds how long to wait for them
		 * @throws SessionException.Unavailable if they are not available by then
		 */
		public void take(long more, int seconds) {
			take(more, seconds, 0);
		}

		/**
		 * Takes more bytes, if 16 times as many as this share then has are still free, or
		 * half of the budget. So the larger the shares are that clients keep for long,
		 * the more is left for smaller ones.
		 * @throws SessionException.Unavailable if they are not available within 5
		 * seconds, or if many others wait
		 */
		public void takeLeavingRoom(long more) {
			int seconds = (HeapBudget.this.kilobytes.getQueueLength() < MAX_WAITING) ? MAX_WAIT_SECONDS : 0;
			long all = needed(this.bytes + more);
			int total = HeapBudget.this.total;
			take(more, seconds, (int) Math.min(ROOM_FACTOR * all, Math.min(total / 2, total - all)));
		}

		/**
		 * Takes more bytes of one half of the budget. The other half is left to those
		 * that take without waiting. A share larger than its half gets all of it.
		 * @throws SessionException.Unavailable if they are not available in time
		 */
		public void takeFromHalf(long more) {
			long half = (long) HeapBudget.this.halfSize * KILOBYTE;
			long all = Math.min(this.bytes + more, Math.max(this.bytes, half));
			int needed = Math.max(0, needed(all) - this.taken);
			acquire(HeapBudget.this.half, needed, MAX_WAIT_SECONDS);
			this.takenOfHalf += needed;
			take(all - this.bytes, MAX_WAIT_SECONDS);
		}

		private void take(long more, int seconds, int room) {
			int needed = Math.max(0, needed(this.bytes + more) - this.taken);
			acquire(HeapBudget.this.kilobytes, needed + room, seconds);
			HeapBudget.this.kilobytes.release(room);
			this.bytes += more;
			this.taken += needed;
		}

		/** Returns the number of bytes taken. */
		public long bytes() {
			return this.bytes;
		}

		/** Gives back the bytes above the number of bytes taken before. */
		public void backTo(long before) {
			int kept = Math.min(this.taken, needed(before));
			HeapBudget.this.kilobytes.release(this.taken - kept);
			this.taken = kept;
			int keptOfHalf = Math.min(this.takenOfHalf, kept);
			HeapBudget.this.half.release(this.takenOfHalf - keptOfHalf);
			this.takenOfHalf = keptOfHalf;
			this.bytes = Math.min(this.bytes, before);
		}

		@Override
		public void close() {
			backTo(0);
		}

		private int needed(long all) {
			return (int) Math.min(HeapBudget.this.total, (all + KILOBYTE - 1) / KILOBYTE);
		}

	}

	/**
	 * The parts of the heap that requests and caches may use. All parts together leave 15
	 * % of the heap to the rest of the service.
	 */
	public enum HeapShare {

		/** The buffers of open connections. */
		CONNECTIONS(10),

		/** The memory of watches, in addition to the memory of their connections. */
		WATCHES(54),

		/** The heads, first buffers and stacks of the requests that are processed. */
		ACTIVE_REQUESTS(5),

		/** The request bodies of a size that most requests have. */
		SMALL_BODIES(15),

		/** The other request bodies, as they are sent. Also the limit of one body. */
		LARGE_BODIES(10),

		/** The tokens of request bodies, until they are counted. */
		UNCOUNTED_TOKENS(32),

		/** Imports, without their large lines. */
		IMPORTS(32),

		/** The large lines of imports. */
		LARGE_LINES(64),

		/** The appends that wait to be stored. */
		WAITING_APPENDS(20),

		/** The data that is read from the store for responses, as it is stored. */
		READS(20),

		/** What dialects make of large events until they are written. */
		TRANSLATIONS(24),

		/** The bytes of responses that clients have not read yet. */
		RESPONSES(20),

		/** The small messages of watches that clients have not read yet. */
		SMALL_MESSAGES(40),

		/** The large messages of watches that clients have not read yet. */
		LARGE_MESSAGES(32),

		/** The cache of keys of sessions. */
		SESSION_KEYS(64),

		/** The cache of the events that a model sees of sessions. */
		CONTEXT_VIEWS(50);

		private final int divisor;

		HeapShare(int divisor) {
			this.divisor = divisor;
		}

		/** Returns the size of this part in bytes. */
		public long bytes() {
			return Runtime.getRuntime().maxMemory() / this.divisor;
		}

	}

}
