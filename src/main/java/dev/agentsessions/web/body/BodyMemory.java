package dev.agentsessions.web.body;

import dev.agentsessions.session.memory.MemoryBudget;

/**
 * The memory of one body: from the budget of small ones until it is large. So a few large
 * bodies that do not come to their end keep no small one out.
 */
final class BodyMemory implements AutoCloseable {

	private final MemoryBudget.Share small;

	private final MemoryBudget.Share large;

	private boolean isLarge;

	BodyMemory(MemoryBudget small, MemoryBudget large) {
		this.small = small.open();
		this.large = large.open();
	}

	/** Takes room for more. */
	void take(long bytes) {
		(this.isLarge ? this.large : this.small).take(bytes);
	}

	/** Takes room for all of a body that is no longer small. */
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
