package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** JSON comes back over HTTP as it was sent, to the character. */
@HttpTest
class FidelityTests {

	private static final int TEN_MEGABYTES = 10 * 1024 * 1024;

	private final Api api;

	FidelityTests(Http http) {
		this.api = new Api(http);
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@ParameterizedTest
	@MethodSource("values")
	void keepsEveryValue(String value) {
		String event = """
				{"id":"e1","invocationId":"i1","author":"agent","timestamp":1700000000.123456,\
				"content":{"parts":[{"functionCall":{"args":{"k":%1$s}}}]},"customMetadata":{"k":%1$s},\
				"actions":{"stateDelta":{"k":%1$s,"user:k":%1$s,"app:k":%1$s}}}""".formatted(value);

		Answer appended = this.api.http().post(this.api.eventsPath("s1"), event).ok();

		assertThat(appended.body()).startsWith("{\"event\":" + event + ",\"revision\":1,");
		assertThat(this.api.event("s1", "e1").ok().body()).isEqualTo(event);
		assertThat(this.api.events("s1", "").ok().body()).isEqualTo("{\"events\":[" + event + "],\"seqs\":[1]}");
		assertThat(this.api.get("s1").ok().body()).contains("\"events\":[" + event + "]")
			.contains("\"state\":{\"k\":%1$s,\"app:k\":%1$s,\"user:k\":%1$s}".formatted(value));
		assertThat(this.api.list("").ok().body()).contains("\"user:k\":" + value);
		assertThat(this.api.http().get(this.api.appPath() + "/state").ok().body()).isEqualTo("{\"k\":" + value + "}");
	}

	static Stream<String> values() {
		return Stream.of("\"a\\u0000b\"", "\"\\ud800\"", "\"\\uDC00 alone\"", "\"\\u00e9 \\/ \\t é \uD83D\uDE00\"",
				"9223372036854775809", "1e400", "-1E-400", "0." + "123456789 ".repeat(20).replace(" ", "0"),
				"1" + "0".repeat(199), "-0.0", "1.10", "1E+2", "{\"z\":1,\"a\":{\"y\":2,\"b\":3},\"\":4,\"1\":5}",
				"{\"a\\u0000b\":{\"\\ud800\":1}}", "[null,{\"n\":null},[],{},true,\"\"]", "{\"same\":1,\"same\":2}",
				"\"\\u2028 \\u007f \\u0001\"", "{ \"spaced\" :\t[ 1 , 2 ] }", "[".repeat(400) + "]".repeat(400));
	}

	@Test
	void keepsUnknownFieldsAtEveryDepth() {
		String event = """
				{"id":"e1","invocationId":"i1","author":"agent","timestamp":1,"unknown_one":{"a_b":[1]},\
				"actions":{"unknown_two":{"c_d":null},"stateDelta":{}},\
				"content":{"unknown_three":1,"parts":[{"unknown_four":{"e_f":2}}]},"z":null,"a":1}""";

		this.api.http().post(this.api.eventsPath("s1"), event).ok();

		assertThat(this.api.event("s1", "e1").ok().body()).isEqualTo(event);
		assertThat(this.api.get("s1").body()).contains(event);
	}

	@Test
	void keepsTheInitialState() {
		String state = "{\"k\":1e400,\"z\":\"\\u0000\",\"user:\\u00e9\":{\"b\":1,\"a\":[2.50]}}";

		Answer created = this.api.http()
			.post(this.api.sessionsPath(), "{\"sessionId\":\"s2\",\"state\":" + state + "}")
			.ok();

		assertThat(created.body())
			.contains("\"state\":{\"k\":1e400,\"z\":\"\\u0000\",\"user:é\":{\"b\":1,\"a\":[2.50]}}");
		assertThat(this.api.get("s2").body()).isEqualTo(created.body());
	}

	@Test
	void keepsAnEventOfTenMegabytes() {
		String text = "0123456789abcdé ".repeat(TEN_MEGABYTES / 17);
		String event = """
				{"id":"e1","invocationId":"","author":"agent","timestamp":1,"content":{"parts":[{"text":"%s"}]},\
				"actions":{"stateDelta":{"big":"%s"}}}""".formatted(text, "short");

		Answer appended = this.api.http().post(this.api.eventsPath("s1"), event);

		assertThat(appended.status()).isEqualTo(200);
		assertThat(appended.body().contains(event)).isTrue();
		assertThat(this.api.event("s1", "e1").body().equals(event)).isTrue();
		assertThat(this.api.events("s1", "").body().equals("{\"events\":[" + event + "],\"seqs\":[1]}")).isTrue();
		assertThat(this.api.get("s1").body().contains(event)).isTrue();
	}

	@Test
	void keepsTenMegabytesOfState() {
		String text = "x".repeat(TEN_MEGABYTES);

		this.api.update("s1", "{'stateDelta': {'big': '%s'}}".formatted(text));

		assertThat(this.api.get("s1", "numRecentEvents=0").body().contains(text)).isTrue();
		assertThat(this.api.list("").json().at("/0/state/big").stringValue().equals(text)).isTrue();
	}

	@Test
	void readsAReplayWithOtherSpacesAndOrderAsTheSameEvent() {
		this.api.append("s1", "{'id': 'e1', 'author': 'user', 'content': {'a': 1, 'b': [1e400, '\\u0000']}}").ok();

		Answer replayed = this.api.append("s1",
				"{ 'content': {'b':[1e400,'\\u0000'], 'a':1}, 'author':'user', 'id':'e1' }");

		assertThat(replayed.ok().header("Idempotent-Replayed")).hasValue("true");
		this.api.append("s1", "{'id': 'e1', 'author': 'user', 'content': {'a': 1, 'b': [1e401, '\\u0000']}}")
			.problem(409, "EVENT_ID_CONFLICT");
	}

	@Test
	void keepsKeysOfStateInAnyLanguage() {
		String key = "clé \uD83D\uDE00 'x' \\\" ключ " + "k".repeat(400);

		this.api.http().patch(this.api.sessionPath("s1"), "{\"stateDelta\":{\"%s\":1}}".formatted(key)).ok();

		assertThat(this.api.get("s1").at("/state")).isEqualTo(Json.read("{\"%s\":1}".formatted(key)));
	}

}
