package dev.agentsessions.adk.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.PageTokens;

/**
 * The parameters of a search, in the query or in the body of a request.
 *
 * @param q the query
 * @param mode {@code query}, the default: with operators, or {@code text}: without
 * @param sessionId only these sessions
 * @param exceptSessionId not this session
 * @param author only events of this author
 * @param from only events at this time or later
 * @param until only events at this time or earlier
 * @param minScore only hits with this score or a higher one
 * @param limit the maximum number of hits of a page, 10 by default
 * @param pageToken the token of the page, from the response with the previous page
 * @param around the number of turns before and after each hit
 * @param facts whether facts are searched as well
 */
record SearchParameters(@Nullable String q, @Nullable String mode, String @Nullable [] sessionId,
		@Nullable String exceptSessionId, @Nullable String author, @Nullable String from, @Nullable String until,
		@Nullable String minScore, @Nullable Integer limit, @Nullable String pageToken, @Nullable Integer around,
		@Nullable Boolean facts) {

	private static final String LIST = "adk search";

	private static final int DEFAULT_LIMIT = 10;

	static SearchParameters of(JsonObject body) {
		JsonObject fields = KnownFields.SEARCH.read(body, "");
		return new SearchParameters(fields.string("q"), fields.string("mode"), sessionIds(fields),
				fields.string("exceptSessionId"), fields.string("author"), text(fields, "from"), text(fields, "until"),
				text(fields, "minScore"), fields.count("limit"), fields.string("pageToken"), fields.count("around"),
				fields.flag("facts"));
	}

	SearchQuery toQuery(StateOwner user, PageTokens tokens) {
		if (this.q == null) {
			throw new SessionException.InvalidArgument("q", "is required");
		}
		Filter filter = new Filter((this.sessionId != null) ? List.of(this.sessionId) : List.of(), this.exceptSessionId,
				this.author, QueryParameters.time("from", this.from), QueryParameters.lastTime("until", this.until),
				Boolean.TRUE.equals(this.facts));
		SearchQuery query = new SearchQuery(MemoryScope.of(user), this.q, hasOperators(), filter, score(),
				(this.limit != null) ? this.limit : DEFAULT_LIMIT, 0, (this.around != null) ? this.around : 0);
		return (this.pageToken != null) ? query.after(offset(this.pageToken, query, tokens)) : query;
	}

	/** Returns the token of the page after a number of hits. */
	static String tokenAfter(int hits, SearchQuery query, PageTokens tokens) {
		return tokens.issue(LIST, List.of(query), Integer.toString(hits));
	}

	private static int offset(String token, SearchQuery query, PageTokens tokens) {
		return Integer.parseInt(tokens.position(token, LIST, List.of(query)).get(0));
	}

	private boolean hasOperators() {
		if (this.mode == null || this.mode.equals("query")) {
			return true;
		}
		if (this.mode.equals("text")) {
			return false;
		}
		throw new SessionException.InvalidArgument("mode", "must be query or text");
	}

	private double score() {
		try {
			return (this.minScore != null) ? Double.parseDouble(this.minScore) : 0;
		}
		catch (NumberFormatException ex) {
			throw new SessionException.InvalidArgument("minScore", "must be a number");
		}
	}

	private static String @Nullable [] sessionIds(JsonObject fields) {
		JsonText value = fields.get(KnownFields.SESSION_ID);
		if (value == null) {
			return null;
		}
		return value.isArray() ? value.strings(KnownFields.SESSION_ID).toArray(String[]::new)
				: new String[] { value.string(KnownFields.SESSION_ID) };
	}

	private static @Nullable String text(JsonObject fields, String name) {
		JsonText value = fields.get(name);
		return (value != null) ? value.stringOrText() : null;
	}

}
