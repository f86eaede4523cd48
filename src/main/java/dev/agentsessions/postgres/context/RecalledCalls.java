package dev.agentsessions.postgres.context;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The function calls of an event that a summary covers and that visible events need.
 *
 * @param ids the ids of all its calls
 * @param answered the ids that answers need
 */
record RecalledCalls(List<String> ids, Set<String> answered) {

	RecalledCalls(List<String> ids) {
		this(ids, new HashSet<>());
	}

	RecalledCalls copy() {
		return new RecalledCalls(this.ids, new HashSet<>(this.answered));
	}

	/** Returns the other calls of the event if an answer needs one of its calls. */
	List<String> siblings() {
		return this.answered.isEmpty() ? List.of()
				: this.ids.stream().filter((id) -> !this.answered.contains(id)).toList();
	}

}
