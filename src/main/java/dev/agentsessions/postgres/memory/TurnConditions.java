package dev.agentsessions.postgres.memory;

import java.sql.SQLException;
import java.util.UUID;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.session.Timestamps;

/** Which turns a search may find, the same for words and for meaning. */
final class TurnConditions {

	/**
	 * Whether a row of {@code said} is one that no search finds any more. It says itself
	 * whose rows it looks for, so Citus sends the statement to one machine.
	 */
	static final String FORGOTTEN = "exists (select from forgotten where forgotten.scope_key = ?"
			+ " and forgotten.same = said.same and said.said_at <= forgotten.until)";

	/**
	 * Whether a row of {@code said} is one of the searched turns. Most users have
	 * forgotten nothing, so one look at {@code forgotten} saves two pages for each hit.
	 */
	static final String SEARCHED = "said.user_key = ? and said.session_key = any (?)"
			+ " and (?::uuid is null or said.session_key <> ? or said.turn >= ?) and not ("
			+ "(select exists (select from forgotten where scope_key = ?)) and " + FORGOTTEN + ")";

	/**
	 * Whether the filter of a query selects a turn or a fact, and it is not the question.
	 */
	static final String SELECTED = "(?::bigint is null or same <> ?) and (?::text is null or author = ?)"
			+ " and (?::timestamptz is null or said_at >= ?) and (?::timestamptz is null or said_at <= ?)";

	private TurnConditions() {
	}

	/** Adds the parameters of {@link #SEARCHED}. */
	static StatementParameters addSearched(StatementParameters parameters, UUID userKey, SearchedTurns turns)
			throws SQLException {
		return parameters.add(userKey)
			.add("uuid", turns.sessionKeys().toArray())
			.addAll(turns.cutSession(), turns.cutSession(), turns.cutTurn(), userKey, userKey);
	}

	/**
	 * Adds the parameters of {@link #SELECTED}. What a user asks is not what was said
	 * about it, so the question is left out.
	 */
	static StatementParameters addSelected(StatementParameters parameters, SearchQuery query) throws SQLException {
		Long question = query.operators() ? null : Digests.ofText(query.text());
		Filter filter = query.filter();
		return parameters.add(question)
			.add(question)
			.addTwice(filter.author())
			.addTwice(Timestamps.toMicroseconds(filter.from()))
			.addTwice(Timestamps.toMicroseconds(filter.until()));
	}

}
