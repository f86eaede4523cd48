package dev.agentsessions.postgres.event;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicLong;

import dev.agentsessions.postgres.Lane;
import dev.agentsessions.session.SessionException;

/**
 * The appends that wait for a group. Their memory bounds the queue. The bytes of an
 * append count until it has a result, also while it is blocked or being stored.
 */
public final class AppendQueue {

	private final LinkedBlockingDeque<QueuedAppend> waiting = new LinkedBlockingDeque<>();

	private final AtomicLong bytes = new AtomicLong();

	private final Lane lane;

	private final long capacity;

	/**
	 * Creates a queue.
	 * @param lane refuses what waits too long, or is too much
	 * @param capacity the size of all unfinished appends from which on further ones are
	 * refused, in bytes
	 */
	public AppendQueue(Lane lane, long capacity) {
		this.lane = lane;
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
			append.stored().refuse(this.lane);
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
	 * Fails the appends that have waited too long, and removes the appends that have a
	 * result.
	 */
	public void refuseOverdue() {
		this.waiting.removeIf((append) -> append.stored().refuseIfLate(this.lane));
	}

	int size() {
		return this.waiting.size();
	}

	/** Returns the memory of the unfinished appends, in bytes. */
	public long bytes() {
		return this.bytes.get();
	}

}
