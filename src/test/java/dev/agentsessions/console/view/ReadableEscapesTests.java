package dev.agentsessions.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.console.view.IndentedJson.ReadableEscapes;

class ReadableEscapesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			\\u5148\\u6708          | \u5148\u6708
			a\\u00e9b               | a\u00e9b
			\\ud83d\\ude00          | \ud83d\ude00
			\\ud83d                 | \\ud83d
			\\ud83dx\\ude00         | \\ud83dx\\ude00
			\\u003cb\\u003e         | <b>
			\\u0022 \\u005c \\u000a | \\u0022 \\u005c \\u000a
			\\n \\" \\/ \\\\u5148   | \\n \\" \\/ \\\\u5148
			\\u202e \\u2028 \\u00a0 | \\u202e \\u2028 \\u00a0
			\\ud83d\\udc68\\u200d\\ud83d\\udc69 | \ud83d\udc68\u200d\ud83d\udc69
			\\u514                  | \\u514
			\\                      | \\
			""")
	void showsTheCharactersThatAReaderCanSee(String json, String shown) {
		assertThat(readable(json)).isEqualTo(shown);
	}

	@Test
	void staysWithinItsPart() {
		StringBuilder text = new StringBuilder();
		ReadableEscapes.append("ab\\u5148cd", 1, 7, text);
		assertThat(text.toString()).isEqualTo("b\\u514");
	}

	private static String readable(String json) {
		StringBuilder text = new StringBuilder();
		ReadableEscapes.append(json, 0, json.length(), text);
		return text.toString();
	}

}
