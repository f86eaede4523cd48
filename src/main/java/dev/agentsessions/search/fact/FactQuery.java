package dev.agentsessions.search.fact;

import java.time.Instant;

import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.Timestamps;

/**
 * Which facts to list, the newest first.
 *
 * @param scope whose facts
 * @param before only facts that were created before this time, or at this time with a
 * lower id than {@code beforeId}
 * @param beforeId the id of the last fact of the page before
 * @param limit the maximum number of facts
 */
public record FactQuery(MemoryScope scope, Instant before, String beforeId, int limit) {

	/** Maximum number of facts of a page. */
	public static final int MAX_LIMIT = 100;

	public FactQuery {
		limit = Math.min(limit, MAX_LIMIT);
	}

	/** Returns the query for the first page. */
	public static FactQuery first(MemoryScope scope, int limit) {
		return new FactQuery(scope, Timestamps.MAX, "", limit);
	}

	/** Returns this query for the page after a fact. */
	public FactQuery after(Instant createTime, String id) {
		return new FactQuery(this.scope, createTime, id, this.limit);
	}

}
