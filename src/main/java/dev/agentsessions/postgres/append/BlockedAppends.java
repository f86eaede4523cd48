package dev.agentsessions.postgres.append;

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

/**
 * The appends that wait for a row that somebody holds for long, in turn by row, so that
 * who waits for one holds up nobody who waits for another.
 */
public final class BlockedAppends {

	private final Map<RowKey, Deque<QueuedAppend>> waiting = new LinkedHashMap<>();

	private volatile boolean empty = true;

	/** Takes an append if it needs a row that others wait for already. */
	boolean takes(QueuedAppend append) {
		return !this.empty && add(append, this.waiting::containsKey);
	}

	/** Takes an append if it needs one of these rows. */
	boolean takes(QueuedAppend append, Set<RowKey> held) {
		return add(append, held::contains);
	}

	private synchronized boolean add(QueuedAppend append, Predicate<RowKey> held) {
		Optional<RowKey> row = append.rows().filter(held).findFirst();
		row.ifPresent((id) -> this.waiting.computeIfAbsent(id, (key) -> new ArrayDeque<>()).addLast(append));
		this.empty = this.waiting.isEmpty();
		notifyAll();
		return row.isPresent();
	}

	/** Waits until an append waits here, and gives the rows that are waited for. */
	synchronized Collection<RowKey> awaitRows() throws InterruptedException {
		while (this.waiting.isEmpty()) {
			wait();
		}
		return List.copyOf(this.waiting.keySet());
	}

	/** Removes all that need none of these rows, or are not wanted any more. */
	synchronized List<QueuedAppend> release(Set<RowKey> held, Predicate<QueuedAppend> unwanted) {
		List<QueuedAppend> released = new ArrayList<>();
		this.waiting.forEach((row, appends) -> {
			appends.removeIf(unwanted);
			if (!held.contains(row)) {
				released.addAll(appends);
				appends.clear();
			}
		});
		forgetFreeRows();
		return released;
	}

	/** Takes the append whose turn it is; its row is the last to get the next turn. */
	synchronized @Nullable Turn next() {
		for (RowKey row : List.copyOf(this.waiting.keySet())) {
			Deque<QueuedAppend> appends = Objects.requireNonNull(this.waiting.remove(row));
			this.waiting.put(row, appends);
			if (!appends.isEmpty()) {
				return new Turn(row, appends.remove());
			}
		}
		return null;
	}

	/** Keeps an append that met the lock again, before the others of its row. */
	synchronized void putBack(Turn turn) {
		this.waiting.computeIfAbsent(turn.row(), (row) -> new ArrayDeque<>()).addFirst(turn.append());
		this.empty = false;
	}

	/** How many appends wait here. */
	synchronized int size() {
		return this.waiting.values().stream().mapToInt(Deque::size).sum();
	}

	private void forgetFreeRows() {
		this.waiting.values().removeIf(Deque::isEmpty);
		this.empty = this.waiting.isEmpty();
	}

	/**
	 * Whose turn it is.
	 *
	 * @param row the row that it waits for
	 * @param append the append
	 */
	record Turn(RowKey row, QueuedAppend append) {

	}

}
