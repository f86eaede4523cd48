package dev.agentsessions.postgres.append;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicLong;

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.session.SessionException;

/**
 * The appends that wait for a group. What bounds them is the memory they take, counted
 * until they are answered, wherever they wait meanwhile.
 */
public final class AppendQueue {

	static final String TOO_MANY = "Too many appends are waiting. Please retry.";

	private final LinkedBlockingDeque<QueuedAppend> waiting = new LinkedBlockingDeque<>();

	private final AtomicLong bytes = new AtomicLong();

	private final long capacity;

	public AppendQueue(long capacity) {
		this.capacity = capacity;
	}

	/**
	 * Adds an append. One that waits alone may be of any size.
	 * @throws SessionException.Unavailable if too many are waiting
	 */
	public void add(QueuedAppend append) {
		long size = append.bytes();
		long before = this.bytes.getAndAdd(size);
		append.stored().whenComplete((event, failure) -> this.bytes.addAndGet(-size));
		if (before > 0 && before + size > this.capacity) {
			append.fail(new SessionException.Unavailable(TOO_MANY));
		}
		else {
			this.waiting.addLast(append);
		}
	}

	/** Puts appends back to where they are taken first. */
	void putBack(Collection<QueuedAppend> appends) {
		List.copyOf(appends).forEach(this.waiting::addFirst);
	}

	/** Waits for an append, and takes it with all that wait behind it, up to so many. */
	void takeInto(Collection<QueuedAppend> taken, int count) throws InterruptedException {
		if (taken.isEmpty()) {
			taken.add(this.waiting.take());
		}
		this.waiting.drainTo(taken, Math.max(0, count - taken.size()));
	}

	/** Refuses those that have waited too long; nobody waits for those before them. */
	public void refuseOverdue(DatabaseTimeouts timeouts) {
		this.waiting.removeIf((append) -> append.isOver(timeouts, TOO_MANY));
	}

	/** How many appends wait here. */
	int size() {
		return this.waiting.size();
	}

	/** How many bytes the appends need that are not answered yet. */
	public long bytes() {
		return this.bytes.get();
	}

}
