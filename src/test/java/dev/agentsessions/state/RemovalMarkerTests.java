package dev.agentsessions.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/** Tells what removes a key from what is its value. */
class RemovalMarkerTests {

	@ParameterizedTest
	@ValueSource(strings = { "\"__ADK_SENTINEL_REMOVED__\"", "\"\\u005f_ADK_SENTINEL_REMOVED__\"",
			"\"\\u005f\\u005f\\u0041\\u0044\\u004b\\u005F\\u0053ENTINEL\\u005FREMOVED\\u005f\\u005F\"" })
	void removes(String value) {
		assertThat(RemovalMarker.is(new JsonText(value))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "\"\"", "__ADK_SENTINEL_REMOVED__", "\"__ADK_SENTINEL_REMOVED__ \"",
			"\"__adk_sentinel_removed__\"", "[\"__ADK_SENTINEL_REMOVED__\"]", "{\"a\":\"__ADK_SENTINEL_REMOVED__\"}",
			"\"\\\\u005f_ADK_SENTINEL_REMOVED__\"", "\"\\u0024\\u005c\"", "\"\\u005f_ADK_SENTINEL_REMOVED__\\u005f\"" })
	void isAValue(String value) {
		assertThat(RemovalMarker.is(new JsonText(value))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 1_000_000 })
	void doesNotReadLongValues(int length) {
		assertThat(RemovalMarker.is(new JsonText("\"" + "\\u005f".repeat(length) + "\""))).isFalse();
	}

}
