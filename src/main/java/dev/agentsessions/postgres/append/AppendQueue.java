package dev.agentsessions.postgres.append;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicLong;

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.session.SessionException;

/**
 * The appends that wait for a group. Their memory bounds the queue. The bytes of an
 * append count until it has a result, also while it is blocked or being stored.
 */
public final class AppendQueue {

	static final String TOO_MANY = "Too many appends are waiting. Please retry.";

	private final LinkedBlockingDeque<QueuedAppend> waiting = new LinkedBlockingDeque<>();

	private final AtomicLong bytes = new AtomicLong();

	private final long capacity;

	/**
	 * Creates a queue.
	 * @param capacity the size of all unfinished appends from which on further ones are
	 * refused, in bytes
	 */
	public AppendQueue(long capacity) {
		this.capacity = capacity;
	}

	/**
	 * Adds an append. If no other append is unfinished, it may be of any size. If too
	 * many are waiting, it fails with {@link SessionException.Unavailable}.
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

	/** Puts appends back at the head of the queue, in their order. */
	void putBack(Collection<QueuedAppend> appends) {
		new ArrayDeque<>(appends).descendingIterator().forEachRemaining(this.waiting::addFirst);
	}

	/**
	 * Takes waiting appends. Waits for one if {@code taken} is empty.
	 * @param taken gets the appends
	 * @param count takes no more once {@code taken} has this number of appends
	 */
	void takeInto(Collection<QueuedAppend> taken, int count) throws InterruptedException {
		if (taken.isEmpty()) {
			taken.add(this.waiting.take());
		}
		this.waiting.drainTo(taken, Math.max(0, count - taken.size()));
	}

	/**
	 * Fails the appends that have waited too long, and removes those that have a result.
	 */
	public void refuseOverdue(DatabaseTimeouts timeouts) {
		this.waiting.removeIf((append) -> append.failIfOverdue(timeouts, TOO_MANY));
	}

	int size() {
		return this.waiting.size();
	}

	/** Returns the memory of the unfinished appends, in bytes. */
	public long bytes() {
		return this.bytes.get();
	}

}
