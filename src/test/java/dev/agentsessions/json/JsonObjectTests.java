package dev.agentsessions.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that are taken apart without touching what is in them. */
class JsonObjectTests {

	static List<String> values() {
		return List.of("1", "-0", "1e400", "0.10", "9223372036854775808", "7".repeat(200), "0." + "3".repeat(200),
				"true", "false", "null", "\"\"", "\"a\\u0000b\"", "\"\\ud800\"", "\"\\udc00 \\uD83D\\uDE00\"",
				"\"\\/\\\"\\\\\"", "\"{[,]}\"", "\"\ud83d\ude00\u4f1a\"", "[]", "{}", "[ 1 ,\t2\n]",
				"{ \"b\" : 1 , \"a\" : { \"b\" : [ ] } }", "{\"a\":1,\"a\":2}", "[[[[\"]\"]]]]");
	}

	@ParameterizedTest
	@MethodSource("values")
	void keepsTheTextOfValues(String value) {
		JsonObject object = JsonObject.parse("{\"a\":" + value + ",\"b\" :  " + value + "  , \"c\":" + value + "\n}");
		assertThat(object.members())
			.isEqualTo(Map.of("a", new JsonText(value), "b", new JsonText(value), "c", new JsonText(value)));
		assertThat(object.toJson().text()).isEqualTo("{\"a\":%1$s,\"b\":%1$s,\"c\":%1$s}".formatted(value));
	}

	@ParameterizedTest
	@CsvSource({ "7, 7", "7.0, 7", "70e-1, 7", "0, 0", "2147483648, 2147483647", "999999999999999999, 2147483647",
			"null," })
	void readsCounts(String value, @Nullable Integer count) {
		assertThat(JsonObject.parse("{\"a\":" + value + "}").count("a")).isEqualTo(count);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "1.5", "1e99999999", "1000000000000000000", "\"7\"", "true", "[7]", "{}" })
	void refusesWhatIsNoCount(String value) {
		JsonObject object = JsonObject.parse("{\"a\":" + value + "}");
		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> object.count("a"))
			.withMessage("a must be a whole number, not negative and not too large");
	}

	@Test
	void readsArraysOfStrings() {
		assertThat(new JsonText("[\"x\", \"\\u0079\"]").strings("a")).containsExactly("x", "y");
		assertThat(new JsonText("[]").strings("a")).isEmpty();
		assertThatExceptionOfType(JsonException.InvalidShape.class)
			.isThrownBy(() -> new JsonText("[\"x\", null]").strings("a"))
			.withMessage("a must be a string");
	}

	@Test
	void keepsTheOrderOfNames() {
		assertThat(JsonObject.parse("{\"z\":1,\"a\":2,\"m\":3}").members().keySet()).containsExactly("z", "a", "m");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			{"\\u0061b":1}       | {"ab":1}
			{"\\u0000":1}        | {"\\u0000":1}
			{"\\ud800":1}        | {"\\ud800":1}
			{"\\ud83d\\ude00":1} | {"\ud83d\ude00":1}
			{"a\\"b\\\\":1}      | {"a\\"b\\\\":1}
			{"":1}               | {"":1}
			""")
	void writesNamesAnew(String json, String written) {
		assertThat(JsonObject.parse(json).toJson().text()).isEqualTo(written);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\":1}x",
			"{\"a\":1}{}", "{\"a\":1} ]", "[] []", "nul", "{\"a\":NaN}", "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}",
			"{\"a\":\"\\x\"}", "{\"a\":\"\n\"}", "{\"a\":\"", "{\"a\":[1}", "/**/{}", "\ufeff{}" })
	void refusesWhatIsNoJson(String text) {
		assertThatExceptionOfType(JsonException.Malformed.class).isThrownBy(() -> JsonObject.parse(text))
			.withMessageStartingWith("The body is not valid JSON: ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "[]", "[{}]", "1", "\"a\"", "null", "true", "[[1],{\"a\":2}]" })
	void refusesWhatIsNoObject(String text) {
		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> JsonObject.parse(text))
			.withMessage("The body must be a JSON object");
	}

	@Test
	void refusesAMemberThatOccursTwice() {
		assertThatExceptionOfType(JsonException.InvalidShape.class)
			.isThrownBy(() -> JsonObject.parse("{\"a\":1,\"b\":2,\"\\u0061\":1}"))
			.withMessage("a must not occur twice");
		JsonObject outer = JsonObject.parse("{\"x\":{\"y\":1,\"y\":2}}");
		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> outer.object("x"))
			.withMessage("x.y must not occur twice");
	}

	@Test
	void readsDeepNestingUpToALimit() {
		assertThat(JsonObject.parse(nested(400)).members()).hasSize(1);
		assertThatExceptionOfType(JsonException.Malformed.class).isThrownBy(() -> JsonObject.parse(nested(10_000)))
			.withMessageContaining("nesting depth (501) exceeds the maximum allowed (500)")
			.withMessageNotContaining("StreamReadConstraints");
	}

	@Test
	void readsLongNumbersUpToALimit() {
		assertThat(JsonObject.parse("{\"a\":" + "1".repeat(1000) + "}").members()).hasSize(1);
		assertThatExceptionOfType(JsonException.Malformed.class)
			.isThrownBy(() -> JsonObject.parse("{\"a\":" + "1".repeat(1001) + "}"))
			.withMessageContaining("length (1001) exceeds the maximum allowed (1000)")
			.withMessageNotContaining("StreamReadConstraints");
	}

	@Test
	void readsMembers() {
		JsonObject object = JsonObject
			.parse("{\"s\":\"a\\u0062\",\"t\":true,\"f\":false,\"n\":null,\"o\":{\"x\":{}},\"l\":[{\"x\":1},{}]}");
		assertThat(object.string("s")).isEqualTo("ab");
		assertThat(object.flag("t")).isTrue();
		assertThat(object.flag("f")).isFalse();
		assertThat(object.object("o")).extracting(JsonObject::path).isEqualTo("o");
		assertThat(object.objects("l")).extracting(JsonObject::path).containsExactly("l[0]", "l[1]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "n", "missing" })
	void takesNullForAbsent(String name) {
		JsonObject object = JsonObject.parse("{\"n\":null}");
		assertThat(object.get(name)).isNull();
		assertThat(object.string(name)).isNull();
		assertThat(object.flag(name)).isFalse();
		assertThat(object.object(name)).isNull();
		assertThat(object.objects(name)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "true", "[]", "{}" })
	void refusesOtherThanStrings(String value) {
		JsonObject object = JsonObject.parse("{\"a\":" + value + "}");
		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> object.string("a"))
			.withMessage("a must be a string");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "\"true\"", "[]", "{}" })
	void refusesOtherThanFlags(String value) {
		JsonObject object = JsonObject.parse("{\"a\":" + value + "}");
		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> object.flag("a"))
			.withMessage("a must be true or false");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{}        | a must be an array
			1         | a must be an array
			[{},1]    | a[1] must be a JSON object
			[null]    | a[0] must be a JSON object
			[[]]      | a[0] must be a JSON object
			""")
	void refusesOtherThanArraysOfObjects(String value, String message) {
		JsonObject object = JsonObject.parse("{\"a\":" + value + "}");
		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> object.objects("a"))
			.withMessage(message);
	}

	@Test
	void setsMembersInTheirPlace() {
		JsonObject object = JsonObject.parse("{\"a\":1,\"b\":2}");
		assertThat(object.with("a", new JsonText("3")).toJson().text()).isEqualTo("{\"a\":3,\"b\":2}");
		assertThat(object.with("c", new JsonText("3")).toJson().text()).isEqualTo("{\"a\":1,\"b\":2,\"c\":3}");
		assertThat(object.toJson().text()).isEqualTo("{\"a\":1,\"b\":2}");
	}

	@Test
	void renamesMembers() {
		Map<String, String> names = Map.of("a_b", "aB");
		assertThat(JsonObject.parse("{\"x\":1,\"a_b\":{\"a_b\":2}}").renamed(names).toJson().text())
			.isEqualTo("{\"x\":1,\"aB\":{\"a_b\":2}}");
		JsonObject both = JsonObject.parse("{\"a_b\":1,\"aB\":1}");
		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> both.renamed(names))
			.withMessage("aB must not occur twice");
	}

	private static String nested(int depth) {
		return "{\"a\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
	}

}
