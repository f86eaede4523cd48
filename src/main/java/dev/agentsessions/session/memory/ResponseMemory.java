package dev.agentsessions.session.memory;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;

/**
 * The memory for data that is read from the store for a response. The store takes from
 * it, because only the store knows the size of the data. It is given back when the
 * response is written.
 */
@Component
public class ResponseMemory {

	/** Smaller data is not counted. */
	public static final int MAX_UNCOUNTED_BYTES = 1 << 18;

	private final MemoryBudget budget = new MemoryBudget(HeapShare.READS.bytes());

	private final ThreadLocal<MemoryBudget.@Nullable Share> share = new ThreadLocal<>();

	/** Begins the work of this thread on a response. */
	public void begin() {
		this.share.set(this.budget.open());
	}

	/** Gives back all memory of this thread, because its response is written. */
	public void end() {
		MemoryBudget.Share own = this.share.get();
		if (own != null) {
			own.close();
		}
		this.share.remove();
	}

	/** Returns the bytes that this thread has taken for its response. */
	public long taken() {
		MemoryBudget.Share own = this.share.get();
		return (own != null) ? own.bytes() : 0;
	}

	/**
	 * Gives back what was taken since then, because it is written; the response
	 * continues.
	 */
	public void backTo(long before) {
		MemoryBudget.Share own = this.share.get();
		if (own != null) {
			own.backTo(before);
		}
	}

	/**
	 * Takes memory for data that is read next. Outside of a response, nothing is counted.
	 * @param bytes the approximate size of the data
	 * @throws SessionException.Unavailable if the memory is not available in time
	 */
	public void take(long bytes) {
		MemoryBudget.Share own = this.share.get();
		if (own != null && bytes > MAX_UNCOUNTED_BYTES) {
			own.take(bytes);
		}
	}

	/**
	 * Takes memory for data that has been read already, without waiting: a thread that
	 * waits would still use the memory of the data.
	 * @throws SessionException.Unavailable if the memory is not available
	 */
	public void count(long bytes) {
		MemoryBudget.Share own = this.share.get();
		if (own != null && bytes > MAX_UNCOUNTED_BYTES) {
			own.takeNow(bytes);
		}
	}

}
