package dev.agentsessions.linearizability;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for an order in which operations can have happened one after the other, each at
 * some moment between question and answer, so that each answer is right: whether a
 * history is linearizable. The method is that of Wing and Gong (1993), with the memory
 * for what was tried that Lowe (2017) added and Porcupine uses.
 *
 * @param <S> the states of what is looked at
 */
final class OrderSearch<S> {

	private static final int SHOWN = 12;

	private final List<Operation<S>> operations;

	private final int limit;

	private final Set<Position<S>> seen = new HashSet<>();

	private final Deque<Position<S>> open = new ArrayDeque<>();

	private Position<S> furthest;

	private final int certain;

	private OrderSearch(List<Operation<S>> operations, S initial, int limit) {
		this.operations = operations.stream().sorted(Comparator.comparingLong(Operation::from)).toList();
		this.limit = limit;
		this.furthest = new Position<>(new BitSet(), initial, 0);
		this.open.push(this.furthest);
		this.certain = (int) operations.stream().filter(Operation::certain).count();
	}

	/**
	 * Looks for an order.
	 * @param initial the state before all
	 * @param limit after so many attempts it is given up
	 * @return why there is none; empty if there is one
	 */
	static <S> Optional<String> findFault(List<Operation<S>> operations, S initial, int limit) {
		return new OrderSearch<>(operations, initial, limit).run();
	}

	private Optional<String> run() {
		while (!this.open.isEmpty()) {
			Position<S> position = settle(this.open.pop());
			if (position.count() > this.furthest.count()) {
				this.furthest = position;
			}
			if (position.count() == this.certain) {
				return Optional.empty();
			}
			if (this.seen.add(position)) {
				branch(position);
			}
			if (this.seen.size() > this.limit) {
				return Optional.of("Undecided after " + this.limit + " attempts; " + explain());
			}
		}
		return Optional.of("No order explains all answers; " + explain());
	}

	/**
	 * What fits now and never changes anything may come now: it takes nothing from the
	 * rest.
	 */
	private Position<S> settle(Position<S> position) {
		BitSet done = (BitSet) position.done().clone();
		int count = position.count();
		for (boolean more = true; more;) {
			more = false;
			for (int i : candidates(done)) {
				Operation<S> operation = this.operations.get(i);
				if (!operation.changing() && operation.step().apply(position.state()).contains(position.state())) {
					done.set(i);
					count++;
					more = true;
				}
			}
		}
		return new Position<>(done, position.state(), count);
	}

	/** What is answered first is tried first, and what may not have happened last. */
	private void branch(Position<S> position) {
		List<Integer> candidates = new ArrayList<>(candidates(position.done()));
		candidates.sort(Comparator.comparingLong((Integer i) -> this.operations.get(i).until()).reversed());
		for (int i : candidates) {
			Operation<S> operation = this.operations.get(i);
			BitSet done = (BitSet) position.done().clone();
			done.set(i);
			for (S next : operation.step().apply(position.state())) {
				this.open.push(new Position<>(done, next, position.count() + (operation.certain() ? 1 : 0)));
			}
		}
	}

	/** What may come next: all that was asked before the first answer that is due. */
	private List<Integer> candidates(BitSet done) {
		List<Integer> candidates = new ArrayList<>();
		long due = Operation.NEVER;
		for (int i = done.nextClearBit(0); i < this.operations.size(); i = done.nextClearBit(i + 1)) {
			Operation<S> operation = this.operations.get(i);
			if (operation.from() > due) {
				break;
			}
			candidates.add(i);
			due = Math.min(due, operation.until());
		}
		return candidates;
	}

	private String explain() {
		StringBuilder text = new StringBuilder("the best one ends in " + this.furthest.state() + ", and then");
		List<Integer> next = candidates(this.furthest.done());
		next.stream().limit(SHOWN).forEach((i) -> text.append("\n  ? ").append(this.operations.get(i).text()));
		text.append("\nbefore that:");
		this.furthest.done()
			.stream()
			.boxed()
			.sorted(Comparator.reverseOrder())
			.limit(SHOWN)
			.forEach((i) -> text.append("\n  - ").append(this.operations.get(i).text()));
		return text.toString();
	}

	/**
	 * A set of operations that have happened, and where they led.
	 *
	 * @param count how many of them are certain
	 */
	private record Position<S>(BitSet done, S state, int count) {
	}

}
