package dev.agentsessions.web.body;

import dev.agentsessions.session.heap.HeapBudget;

/**
 * The memory of one body. A body uses the budget of small bodies until it is large. A few
 * large bodies that never arrive completely therefore do not block small bodies.
 */
final class BodyHeap implements AutoCloseable {

	private final HeapBudget.Share small;

	private final HeapBudget.Share large;

	private boolean isLarge;

	BodyHeap(HeapBudget small, HeapBudget large) {
		this.small = small.open();
		this.large = large.open();
	}

	/** Takes memory for more bytes. */
	void take(long bytes) {
		(this.isLarge ? this.large : this.small).take(bytes);
	}

	/**
	 * Takes memory for the whole body, which is no longer small.
	 * @param bytes the size of the whole body
	 */
	void becomeLarge(long bytes) {
		this.large.take(bytes);
		this.isLarge = true;
		this.small.close();
	}

	@Override
	public void close() {
		this.small.close();
		this.large.close();
	}

}
