package dev.agentsessions.search;

import java.time.Instant;
import java.util.List;

import dev.agentsessions.session.Page;
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
public record FactQuery(MemoryScope scope, @Page.Only Instant before, @Page.Only String beforeId,
		@Page.Only int limit) {

	/** Maximum number of facts of a page. */
	public static final int MAX_LIMIT = 100;

	public FactQuery {
		limit = Math.min(limit, MAX_LIMIT);
	}

	/** Returns the query for the first page. */
	public static FactQuery first(MemoryScope scope, int limit) {
		return new FactQuery(scope, Timestamps.MAX, "", limit);
	}

	/** Returns this query for the page after a fact, which {@link #texts} describes. */
	public FactQuery after(List<String> texts) {
		return new FactQuery(this.scope, Instant.parse(texts.get(0)), texts.get(1), this.limit);
	}

	/** Returns the position of a fact in this list. */
	public static String[] texts(Fact fact) {
		return new String[] { fact.createTime().toString(), fact.id() };
	}

}
