package dev.agentsessions.postgres.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.event.LockedRowsStatement.RowKey;

/**
 * The appends that wait for a row that another transaction has locked, in one queue for
 * each row. So appends that wait for one row do not delay appends that wait for another
 * row.
 */
public final class BlockedAppends {

	private final Map<RowKey, Deque<QueuedAppend>> waiting = new LinkedHashMap<>();

	private volatile boolean empty = true;

	/**
	 * Adds an append if it needs a row that other appends wait for already, and returns
	 * whether it did.
	 */
	boolean addIfBlocked(QueuedAppend append) {
		return !this.empty && add(append, this.waiting::containsKey);
	}

	/** Adds an append if it needs one of the locked rows, and returns whether it did. */
	boolean addIfBlocked(QueuedAppend append, Set<RowKey> locked) {
		return add(append, locked::contains);
	}

	private synchronized boolean add(QueuedAppend append, Predicate<RowKey> locked) {
		Optional<RowKey> row = append.rows().filter(locked).findFirst();
		row.ifPresent((id) -> this.waiting.computeIfAbsent(id, (key) -> new ArrayDeque<>()).addLast(append));
		this.empty = this.waiting.isEmpty();
		notifyAll();
		return row.isPresent();
	}

	/** Waits until an append is blocked, and returns the rows that appends wait for. */
	synchronized Collection<RowKey> awaitRows() throws InterruptedException {
		while (this.waiting.isEmpty()) {
			wait();
		}
		return List.copyOf(this.waiting.keySet());
	}

	/**
	 * Removes the appends that need none of the locked rows, and the appends that are
	 * done.
	 * @return the appends whose rows are free and that are not done
	 */
	synchronized List<QueuedAppend> release(Set<RowKey> locked, Predicate<QueuedAppend> done) {
		List<QueuedAppend> released = new ArrayList<>();
		this.waiting.forEach((row, appends) -> {
			appends.removeIf(done);
			if (!locked.contains(row)) {
				released.addAll(appends);
				appends.clear();
			}
		});
		removeFreeRows();
		return released;
	}

	/**
	 * Takes the next append and moves its row to the end, or returns {@code null} if none
	 * is blocked.
	 */
	synchronized @Nullable Next next() {
		for (RowKey row : List.copyOf(this.waiting.keySet())) {
			Deque<QueuedAppend> appends = Objects.requireNonNull(this.waiting.remove(row));
			this.waiting.put(row, appends);
			if (!appends.isEmpty()) {
				return new Next(row, appends.remove());
			}
		}
		return null;
	}

	/** Puts back an append whose row is still locked, before the others of its row. */
	synchronized void putBack(Next next) {
		this.waiting.computeIfAbsent(next.row(), (row) -> new ArrayDeque<>()).addFirst(next.append());
		this.empty = false;
	}

	synchronized int size() {
		return this.waiting.values().stream().mapToInt(Deque::size).sum();
	}

	private void removeFreeRows() {
		this.waiting.values().removeIf(Deque::isEmpty);
		this.empty = this.waiting.isEmpty();
	}

	/**
	 * The append to be tried next.
	 *
	 * @param row the row that it waits for
	 * @param append the append
	 */
	record Next(RowKey row, QueuedAppend append) {

	}

}
