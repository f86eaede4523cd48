package dev.agentsessions.search.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.search.text.TextAnalysis.Language;
import dev.agentsessions.session.Sha256;

/** The words of texts, and the version of them that the index remembers. */
class TextAnalysisTests {

	private static final String TEXT = """
			It's the reader's 3.14 of v1.2.3, e.g. billing_service.py in docker-compose.prod.yml: naïve Straße,
			las canciones, les chevaux, i bambini, os cães, häuser, kirjoja, könyvek, flickorna, guttene, huizen,
			книгами, الكتاب, लड़कों, 東京都に行く, 서울에서, สวัสดีครับ, ıstanbul, 😀, ﬁne, ＡＢＣ＿１２３．ｔｘｔ,
			l’eau, O'Brien, 14.11.2026, 5kg, 500บาท, 3f2a""";

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
		assertThat(HexFormat.of().formatHex(Sha256.of(words), 0, 8)).isEqualTo("1a3abeda47be5822");
	}

	@Test
	void theFirstPartIsAtThePositionOfTheWord() {
		assertThat(positions("see __init__ py and a_1.5 or e.g. U.S. ʿ d’eau dell'acqua 5kg 3f2a now"))
			.isEqualTo("see:1 __init__:2 init:2 py:3 and:4 a_1.5:5 a:5 1:6 5:7 or:8 e.g:9 u.s:10 "
					+ "d'eau:12 eau:12 dell'acqua:13 dell:13 acqua:14 5kg:15 5:15 kg:16 3f2a:17 now:18");
	}

	private static String positions(String text) {
		return new TextAnalysis(Language.NONE).words(text)
			.stream()
			.map((word) -> word.term() + ":" + word.position())
			.collect(Collectors.joining(" "));
	}

}
