package dev.agentsessions.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Texts are shown as Markdown, and as plain text where that is not possible. */
class ReadingModeTests {

	@Test
	void showsATextWithAHugeTableAsItIs() {
		String table = "|a".repeat(1000) + "\n" + "|-".repeat(1000) + "\n" + "a|\n".repeat(1900);
		TruncatedText text = TruncatedText.of(table, TruncatedText.MAX_CHARS);
		assertThat(new ReadingMode(null, null).html(text)).isNull();
		assertThat(new ReadingMode(null, null).html(TruncatedText.of("**a**", 10))).contains("<strong>");
	}

}
