package dev.agentsessions.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonText;

/** JSON is laid out for people, and only as far as they read. */
class IndentedJsonTests {

	@Test
	void laysOutObjectsAndArrays() {
		assertThat(of("{\"a\":[1,  {\"b\":\"c, d: {e}\\\"\"}],\"f\":{ },\"g\":[]}", 1000)).isEqualTo("""
				{
				  "a": [
				    1,
				    {
				      "b": "c, d: {e}\\""
				    }
				  ],
				  "f": {},
				  "g": []
				}""");
	}

	@Test
	void stopsWhereEnoughIsWritten() {
		TruncatedText truncated = IndentedJson.of(new JsonText("\"" + "x".repeat(1_000_000) + "\""), 100);
		assertThat(truncated.text()).hasSize(100);
		assertThat(truncated.omittedChars()).isBetween(999_800L, 1_000_000L);
		assertThat(IndentedJson.of(new JsonText("[".repeat(500) + "]".repeat(500)), 100_000).omittedChars()).isZero();
		assertThat(of("\"\\\\\"", 2)).isEqualTo("\"\\");
	}

	@Test
	void cutsNoCharacterInTwo() {
		assertThat(TruncatedText.of("a\uD83D\uDE00", 2)).isEqualTo(new TruncatedText("a", 2));
		assertThat(TruncatedText.of("a\u0000\u001b\u007f\n", 10).text()).isEqualTo("a\u2400\u241b\u2421\n");
	}

	private static String of(String json, int limit) {
		return IndentedJson.of(new JsonText(json), limit).text();
	}

}
