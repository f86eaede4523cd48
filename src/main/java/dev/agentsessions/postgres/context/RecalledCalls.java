package dev.agentsessions.postgres.context;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The function calls of an event for which a summary stands, and which is needed by what
 * is left.
 *
 * @param ids the ids of its calls
 * @param answered those that are needed by their answers
 */
record RecalledCalls(List<String> ids, Set<String> answered) {

	RecalledCalls(List<String> ids) {
		this(ids, new HashSet<>());
	}

	RecalledCalls copy() {
		return new RecalledCalls(this.ids, new HashSet<>(this.answered));
	}

	/** The other calls, where one is needed by its answer. */
	List<String> siblings() {
		return this.answered.isEmpty() ? List.of()
				: this.ids.stream().filter((id) -> !this.answered.contains(id)).toList();
	}

}
