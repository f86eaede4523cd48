package dev.agentsessions.session;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.function.Function;

/**
 * A page of a list.
 *
 * @param items the items
 * @param more whether more items follow
 */
public record Page<T>(List<T> items, boolean more) {

	/**
	 * Creates a page without the item that was read only to learn whether more follow.
	 * @param found the items, at most one more than the limit
	 */
	public static <T> Page<T> of(List<T> found, int limit) {
		return (found.size() > limit) ? new Page<>(found.subList(0, limit), true) : new Page<>(found, false);
	}

	/** Returns the same page with other items. */
	public <R> Page<R> map(Function<? super T, ? extends R> mapping) {
		return new Page<>(this.items.stream().<R>map(mapping).toList(), this.more);
	}

	/** Returns the last item; there is one if more follow. */
	public T last() {
		return this.items.get(this.items.size() - 1);
	}

	/**
	 * Marks a component of a query that is not about which items the list has: where a
	 * page begins, how many items it has, and how much of each. A page token is valid for
	 * any value of it. All other components have to be the same on every page.
	 */
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.METHOD)
	public @interface Only {

	}

}
