package dev.agentsessions.session.memory;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;

/**
 * The memory for what is read from the store to be answered. The store takes from it, as
 * it alone knows how large something is; it is given back when the answer is written.
 */
@Component
public class ResponseMemory {

	/** The share of the heap that answers may have, as they are stored. */
	private static final int SHARE_OF_HEAP = 10;

	/** What is smaller is not counted. */
	public static final int SMALL = 1 << 18;

	private final MemoryBudget budget = new MemoryBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

	private final ThreadLocal<MemoryBudget.@Nullable Share> share = new ThreadLocal<>();

	/** This thread begins to work on an answer. */
	public void begin() {
		this.share.set(this.budget.open());
	}

	/** This thread has written its answer. */
	public void end() {
		MemoryBudget.Share own = this.share.get();
		if (own != null) {
			own.close();
		}
		this.share.remove();
	}

	/** How much this thread has taken for its answer. */
	public long taken() {
		MemoryBudget.Share own = this.share.get();
		return (own != null) ? own.bytes() : 0;
	}

	/** What was taken since then has been written, although the answer goes on. */
	public void backTo(long before) {
		MemoryBudget.Share own = this.share.get();
		if (own != null) {
			own.backTo(before);
		}
	}

	/**
	 * Takes room for something that is about to be read. Outside of an answer, nothing is
	 * counted.
	 * @param bytes how large it is, about
	 * @throws SessionException.Unavailable if there is no room soon
	 */
	public void take(long bytes) {
		MemoryBudget.Share own = this.share.get();
		if (own != null && bytes > SMALL) {
			own.take(bytes);
		}
	}

	/**
	 * Takes room while something is read that is forgotten at once, also outside of an
	 * answer.
	 * @param bytes how large it is, about
	 * @throws SessionException.Unavailable if there is no room soon
	 */
	public void during(long bytes, Runnable reading) {
		MemoryBudget.Share own = this.share.get();
		MemoryBudget.Share taken = (own != null) ? own : this.budget.open();
		long before = taken.bytes();
		taken.take(bytes);
		try {
			reading.run();
		}
		finally {
			taken.backTo(before);
		}
	}

	/**
	 * Takes room for something that has been read already, at once or not at all: who
	 * waited would keep what they have read.
	 * @throws SessionException.Unavailable if there is no room
	 */
	public void count(long bytes) {
		MemoryBudget.Share own = this.share.get();
		if (own != null && bytes > SMALL) {
			own.takeNow(bytes);
		}
	}

}
