package dev.agentsessions.postgres.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.text.WordQuery;
import dev.agentsessions.search.text.WordQuery.Phrase;
import dev.agentsessions.search.text.WordQuery.Word;

/** Writes words as texts of PostgreSQL's types {@code tsvector} and {@code tsquery}. */
final class TextSearchTypes {

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
