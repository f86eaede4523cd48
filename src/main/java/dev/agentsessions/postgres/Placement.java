package dev.agentsessions.postgres;

import java.util.List;
import java.util.stream.Stream;

/** Where the rows are: all on one machine, or on several, which Citus knows. */
public interface Placement {

	/**
	 * Returns the parts of what is to be read or changed that have a statement, or a
	 * transaction, of their own each.
	 */
	<T> Stream<List<T>> parts(List<T> items);

	/**
	 * Returns how many sessions a statement may read or change together.
	 * @param max what it may do on one machine
	 */
	int together(int max);

	/** Returns whether a statement may change several sessions. */
	default boolean changesSessionsTogether() {
		return together(2) > 1;
	}

	/** Returns the statement that ends a transaction that may have written. */
	String commit();

}
