package dev.agentsessions.session;

import java.util.List;
import java.util.function.Function;

/**
 * A part of a list.
 *
 * @param items the items
 * @param more whether others follow
 */
public record Page<T>(List<T> items, boolean more) {

	/**
	 * Cuts off what was read only to learn whether more follows.
	 * @param found the items, at most one more than the limit
	 */
	public static <T> Page<T> of(List<T> found, int limit) {
		return (found.size() > limit) ? new Page<>(found.subList(0, limit), true) : new Page<>(found, false);
	}

	/** The same page of other things. */
	public <R> Page<R> map(Function<? super T, ? extends R> mapping) {
		return new Page<>(this.items.stream().<R>map(mapping).toList(), this.more);
	}

	/** The last item; there is one if more follow. */
	public T last() {
		return this.items.get(this.items.size() - 1);
	}

}
