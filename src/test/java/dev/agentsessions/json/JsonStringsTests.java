package dev.agentsessions.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings that become JSON. */
class JsonStringsTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "\"\\/", "\u0000\b\t\n\u001f\u007f", "\u4f1a\ud83d\ude00", "\ud800",
			"a\udc00\ud800b", "\u2028\ufeff" })
	void comeBackTheSame(String text) {
		assertThat(JsonStrings.of(text).string("text")).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud800", "\udfff" })
	void escapeWhatUtf8CannotCarry(String text) {
		assertThat(JsonStrings.quote("a" + text)).isEqualTo("\"a\\u%04x\"".formatted((int) text.charAt(0)));
	}

}
