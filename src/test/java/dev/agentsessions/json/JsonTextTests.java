package dev.agentsessions.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** What a value is can be seen at its beginning. */
class JsonTextTests {

	@ParameterizedTest
	@MethodSource("dev.agentsessions.json.JsonObjectTests#values")
	@ValueSource(strings = { "0", "-17", "1.5", "1e-2", "1E999", "-0.5e-3", "12345678901234567890123" })
	void isWhatAParserFinds(String value) {
		assertThat(new JsonText(value).kind()).isEqualTo(firstToken(value));
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.0", "1e2", "1E2", "-0.0", "10e-1" })
	void isAWholeNumberHoweverItIsWritten(String value) {
		assertThat(new JsonText(value).kind()).isEqualTo(JsonToken.VALUE_NUMBER_INT);
	}

	private static JsonToken firstToken(String value) {
		try (JsonParser parser = JsonReader.JSON.createParser(ObjectReadContext.empty(), value)) {
			return parser.nextToken();
		}
	}

}
