package dev.agentsessions.postgres.memory;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.text.QueryReader.WordQuery;
import dev.agentsessions.search.text.QueryReader.WordQuery.Phrase;
import dev.agentsessions.search.text.QueryReader.WordQuery.Word;
import dev.agentsessions.session.Timestamps;

/**
 * Ranks turns. A word counts by how rare it is in the talk of this user (BM25 with a weak
 * influence of the length), and neighbours of a turn that match as well add to its score,
 * because answers follow questions.
 */
@Component
class SearchStatement {

	/** A statement may take this number of seconds. */
	private static final int MAX_SECONDS = 2;

	/**
	 * Facts are three turns apart, so that none is the neighbour of another one, and in
	 * the order of their ids, because each page needs the same order. Each step takes its
	 * columns from the step before: a join of two steps would compare every hit with
	 * every hit, because PostgreSQL does not know how many hits there are.
	 */
	private static final String SQL = """
			with found as materialized (
			  select session_key, turn, null as fact, words, said_at, author, same, tokens from said
			  where %s and tokens @@ ?::tsquery
			  union all
			  select scope_key, 3 * row_number() over (order by id), id, words, said_at, author, same, tokens
			  from memories where ? and scope_key = ? and tokens @@ ?::tsquery and %s),
			hits as materialized (
			  select session_key, turn, fact, words, said_at, same, tokens from found
			  where %s),
			asked as (select i, word::tsquery from unnest(?::text[]) with ordinality as asked (word, i)),
			matched as (
			  select session_key, turn, fact, words, said_at, same, i from hits join asked on tokens @@ word),
			weight as (
			  select i, ln(1 + (greatest(?::float8 - count(session_key), 0) + 0.5) / (count(session_key) + 0.5)) as idf
			  from asked left join matched using (i) group by i),
			score as (
			  select session_key, turn, fact, said_at, same,
			    sum(idf * 1.9 / (1 + 0.9 * (0.8 + 0.2 * words / ?::float8))) as s
			  from matched join weight using (i) group by session_key, turn, fact, said_at, same),
			near as (
			  select session_key, turn, fact, said_at, same, s
			    + 0.3 * coalesce(sum(s) over (partition by session_key order by turn
			        range between 1 preceding and 1 following exclude current row), 0)
			    + 0.2 * coalesce(sum(s) over (partition by session_key order by turn
			        range between 2 preceding and 2 following exclude current row), 0) as s
			  from score),
			ranked as (
			  select session_key, turn, fact, said_at, same, least(1, s / (select sum(idf) from weight)) as score, s,
			    row_number() over (partition by same order by said_at desc, session_key desc, turn desc) as number
			  from near)
			select session_key, turn, fact, said_at, same, s, score from ranked where number = 1 and score >= ?
			order by s desc, said_at desc, session_key desc, turn desc limit ? offset ?
			""".formatted(TurnConditions.SEARCHED, Sql.LIVE, TurnConditions.SELECTED);

	private static final String RAREST = """
			select lexeme from (
			  select tokens from said where user_key = ? and session_key = any (?)
			  union all
			  select tokens from memories where ? and scope_key = ?) as talk
			cross join unnest(tokens) as word (lexeme, positions, weights)
			where lexeme = any (?) group by lexeme order by count(*), lexeme limit ?
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	SearchStatement(JdbcTemplate jdbc, Transactions transactions) {
		this.jdbc = jdbc;
		this.transactions = transactions;
	}

	/** Returns the best turns, one more than the page has if there are more. */
	List<RankedTurn> page(UUID userKey, SearchedTurns turns, SearchQuery query, WordQuery words) {
		return execute(userKey, turns, query, words, query.minScore(), query.limit() + 1L, query.offset());
	}

	/** Returns all turns that have words of the query. */
	List<RankedTurn> all(UUID userKey, SearchedTurns turns, SearchQuery query, WordQuery words) {
		return execute(userKey, turns, query, words, 0, turns.turns(), 0);
	}

	private List<RankedTurn> execute(UUID userKey, SearchedTurns turns, SearchQuery query, WordQuery words,
			double minScore, long limit, long offset) {
		WordQuery ranking = ranking(userKey, turns, query.filter(), words);
		if (ranking.isEmpty()) {
			return List.of();
		}
		return this.transactions.statement(() -> this.jdbc.query(SQL, (statement) -> {
			String condition = TextSearchTypes.condition(ranking);
			StatementParameters parameters = TurnConditions.addSearched(bounded(statement), userKey, turns)
				.addAll(condition, query.filter().includesFacts(), userKey, condition);
			TurnConditions.addSelected(parameters, query)
				.add("text", ranking.words().stream().map(TextSearchTypes::quoted).toArray())
				.addAll((double) turns.turns(), turns.meanWords(), minScore, limit, offset);
		}, RankedTurn::of));
	}

	/** Of a long text, the words that the user says most rarely rank. */
	private WordQuery ranking(UUID userKey, SearchedTurns turns, Filter filter, WordQuery query) {
		if (query.words().size() <= WordQuery.MAX_WORDS) {
			return query;
		}
		return query.withWords(this.transactions.statement(() -> this.jdbc.query(RAREST,
				(statement) -> bounded(statement).add(userKey)
					.add("uuid", turns.sessionKeys().toArray())
					.addAll(filter.includesFacts(), userKey)
					.add("text", query.words().toArray())
					.add((long) WordQuery.MAX_WORDS),
				(row, number) -> row.getString("lexeme"))));
	}

	static StatementParameters bounded(PreparedStatement statement) throws SQLException {
		int seconds = statement.getQueryTimeout();
		statement.setQueryTimeout((seconds > 0) ? Math.min(seconds, MAX_SECONDS) : MAX_SECONDS);
		return new StatementParameters(statement);
	}

	/** Which turns a search may find, the same for words and for meaning. */
	static final class TurnConditions {

		/**
		 * Whether a row of {@code said} is one that no search finds any more. It says
		 * itself whose rows it looks for, so Citus sends the statement to one machine.
		 */
		static final String FORGOTTEN = "exists (select from forgotten where forgotten.scope_key = ?"
				+ " and forgotten.same = said.same and said.said_at <= forgotten.until)";

		/**
		 * Whether a row of {@code said} is one of the searched turns. Most users have
		 * forgotten nothing, so one look at {@code forgotten} saves two pages for each
		 * hit.
		 */
		static final String SEARCHED = "said.user_key = ? and said.session_key = any (?)"
				+ " and (?::uuid is null or said.session_key <> ? or said.turn >= ?) and not ("
				+ "(select exists (select from forgotten where scope_key = ?)) and " + FORGOTTEN + ")";

		/**
		 * Whether the filter of a query selects a turn or a fact, and it is not the
		 * question.
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

	/**
	 * Writes words as texts of PostgreSQL's types {@code tsvector} and {@code tsquery}.
	 */
	static final class TextSearchTypes {

		private TextSearchTypes() {
		}

		/** Returns a {@code tsvector} of words with their positions. */
		static String vector(List<Word> words) {
			Map<String, List<String>> positions = new LinkedHashMap<>();
			words.forEach((word) -> positions.computeIfAbsent(word.term(), (term) -> new ArrayList<>())
				.add(Integer.toString(word.position())));
			return positions.entrySet()
				.stream()
				.map((word) -> quoted(word.getKey()) + ":" + String.join(",", word.getValue()))
				.collect(Collectors.joining(" "));
		}

		/** Returns a {@code tsquery} of one word. */
		static String quoted(String term) {
			return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'";
		}

		/** Returns a {@code tsquery} of the turns that a query finds. */
		static String condition(WordQuery query) {
			return query.must().isEmpty() ? conjunction(query, Stream.of(any(query.words())))
					: conjunction(query, query.must().stream().map(TextSearchTypes::phrase));
		}

		private static String conjunction(WordQuery query, Stream<String> wanted) {
			return Stream.concat(wanted, query.mustNot().stream().map((phrase) -> "!" + phrase(phrase)))
				.map((part) -> "(" + part + ")")
				.collect(Collectors.joining(" & "));
		}

		/**
		 * Returns a {@code tsquery} of the words that a query requires and forbids;
		 * {@code null} if any turn has that.
		 */
		static @Nullable String required(WordQuery query) {
			return (query.must().isEmpty() && query.mustNot().isEmpty()) ? null
					: conjunction(query, query.must().stream().map(TextSearchTypes::phrase));
		}

		private static String any(List<String> words) {
			return words.stream().map(TextSearchTypes::quoted).collect(Collectors.joining(" | "));
		}

		private static String phrase(Phrase phrase) {
			StringBuilder text = new StringBuilder("(");
			int before = 0;
			for (Word word : phrase.words()) {
				if (before > 0) {
					text.append(" <").append(word.position() - before).append("> ");
				}
				text.append(quoted(word.term()));
				before = word.position();
			}
			return text.append(')').toString();
		}

	}

}
