package dev.agentsessions.search;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers.StorableText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException.InvalidArgument;

/**
 * A search in the sessions of a user.
 *
 * @param scope the user; facts can also have other scopes, which have no sessions
 * @param text the query, at most {@link #MAX_CHARS} characters
 * @param operators whether quotes, {@code +} and {@code -} in the query are operators
 * @param filter only turns that it selects
 * @param minScore only turns with this score or a higher one, 0 to 1
 * @param limit the maximum number of hits, 1 to {@link #MAX_LIMIT}
 * @param offset the number of better hits that are left out
 * @param around the number of turns before and after each hit, 0 to {@link #MAX_AROUND}
 */
public record SearchQuery(MemoryScope scope, String text, boolean operators, Filter filter, double minScore,
		@Page.Only int limit, @Page.Only int offset, @Page.Only int around) {

	/** Maximum length of a query, in UTF-16 code units. */
	public static final int MAX_CHARS = 2000;

	/** Maximum number of hits of a page. */
	public static final int MAX_LIMIT = 100;

	/** Maximum number of turns before and after a hit. */
	public static final int MAX_AROUND = 5;

	/** Maximum number of sessions that a filter names. */
	public static final int MAX_SESSIONS = 1000;

	public SearchQuery {
		InvalidArgument.check(text.length() <= MAX_CHARS, "q", "must have at most " + MAX_CHARS + " characters");
		InvalidArgument.check(minScore >= 0 && minScore <= 1, "minScore", "must be between 0 and 1");
		InvalidArgument.check(limit >= 1 && limit <= MAX_LIMIT, "limit", "must be between 1 and " + MAX_LIMIT);
		InvalidArgument.check(around >= 0 && around <= MAX_AROUND, "around", "must be between 0 and " + MAX_AROUND);
		InvalidArgument.check(filter.sessionIds().size() <= MAX_SESSIONS, "sessionId",
				"must name at most " + MAX_SESSIONS);
	}

	/** Returns this query for the page after some hits. */
	public SearchQuery after(int hits) {
		return new SearchQuery(this.scope, this.text, this.operators, this.filter, this.minScore, this.limit, hits,
				this.around);
	}

	/**
	 * Which turns to search.
	 *
	 * @param sessionIds only these sessions; empty for all
	 * @param exceptSessionId not this session
	 * @param author only turns of this author
	 * @param from only turns at this time or later, by the time that their sender gave
	 * @param until only turns at this time or earlier
	 * @param facts whether facts are searched as well; none is selected together with
	 * sessions
	 */
	public record Filter(List<String> sessionIds, @Nullable String exceptSessionId, @Nullable String author,
			@Nullable Instant from, @Nullable Instant until, boolean facts) {

		/** Selects every turn. */
		public static final Filter ALL = new Filter(List.of(), null, null, null, null, false);

		/** Whether it selects turns of a session. */
		public boolean includes(String sessionId) {
			return !sessionId.equals(this.exceptSessionId)
					&& (this.sessionIds.isEmpty() || this.sessionIds.contains(sessionId));
		}

		/** Whether it selects facts. */
		public boolean includesFacts() {
			return this.facts && this.sessionIds.isEmpty();
		}

		/** Whether no turn can match: no event has an author with such characters. */
		boolean isUnsatisfiable() {
			return this.author != null && !StorableText.test(this.author);
		}

	}

}
