package dev.agentsessions.search.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.Sha256;

/** The words of texts, and the version of them that the index remembers. */
class TextAnalysisTests {

	private static final String TEXT = """
			It's the reader's 3.14 of v1.2.3, e.g. billing_service.py in docker-compose.prod.yml: naïve Straße,
			las canciones, les chevaux, i bambini, os cães, häuser, kirjoja, könyvek, flickorna, guttene, huizen,
			книгами, الكتاب, लड़कों, 東京都に行く, 서울에서, สวัสดีครับ, ıstanbul, 😀, ﬁne, ＡＢＣ＿１２３．ｔｘｔ""";

	/**
	 * If this test fails, texts have other words than before. Then increase the version
	 * in {@link TextAnalysis}, so that what is indexed is indexed again, and pin the new
	 * digest here.
	 */
	@Test
	void theVersionBelongsToTheWords() {
		String words = Stream.of(Language.values())
			.map(TextAnalysis::new)
			.map((analysis) -> analysis.version() + " " + analysis.words(TEXT))
			.collect(Collectors.joining("\n"));
		assertThat(HexFormat.of().formatHex(Sha256.of(words), 0, 8)).isEqualTo("9ee4bd64064e4552");
	}

	@Test
	void theFirstPartIsAtThePositionOfTheWord() {
		assertThat(positions("see __init__ py and a_1.5 or e.g. U.S. now")).containsExactly(Map.entry("see", 1),
				Map.entry("__init__", 2), Map.entry("init", 2), Map.entry("py", 3), Map.entry("and", 4),
				Map.entry("a_1.5", 5), Map.entry("a", 5), Map.entry("1.5", 6), Map.entry("or", 7), Map.entry("e.g", 8),
				Map.entry("u.s", 9), Map.entry("now", 10));
	}

	private static List<Map.Entry<String, Integer>> positions(String text) {
		return new TextAnalysis(Language.NONE).words(text)
			.stream()
			.map((word) -> Map.entry(word.term(), word.position()))
			.toList();
	}

}
