package dev.agentsessions.vertex.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.support.Json;
import dev.agentsessions.vertex.event.RawEvent.ParsedEvent;

/**
 * What everybody else reads of an event whose content ADK Rust has put into its own form
 * only.
 */
class RustEventTests {

	private static final JsonText CONTENT = new JsonText(Json.of("{'parts':[{'text':'x'}]}"));

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\0', value = { "{'text': 'x'} | {'text': 'x'}",
			"{'thinking': 'x', 'signature': 'YQ=='} | {'text': 'x', 'thought': true, 'thoughtSignature': 'YQ=='}",
			"{'mime_type': 'a/b', 'data': [1, 255]} | {'inlineData': {'mimeType': 'a/b', 'data': 'Af8='}}",
			"{'mime_type': 'a/b', 'file_uri': 'u'} | {'fileData': {'mimeType': 'a/b', 'fileUri': 'u'}}",
			"{'name': 'f', 'args': {'a_b': 1}, 'id': 'c'} | {'functionCall': {'id': 'c', 'name': 'f', 'args': {'a_b': 1}}}",
			"{'functionResponse': {'name': 'f', 'response': {}}, 'id': 'c'} | {'functionResponse': {'id': 'c', 'name': 'f', 'response': {}}}",
			"{'server_tool_call': 1} | {'server_tool_call': 1}" })
	void translatesParts(String part, String expected) {
		String content = RustEvent.content(rawEvent("{'content': {'role': 'model', 'parts': [" + part + "]}}", "raw"))
			.text();

		assertThat(Json.read(content)).isEqualTo(Json.node("{'role': 'model', 'parts': [" + expected + "]}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "5", "{", "{}", "{'content': 5}", "{'content': {'parts': 5}}",
			"{'content': {'parts': [{'mime_type': 'a/b', 'data': ['x']}]}}" })
	void findsNoContentInWhatIsNoEvent(String copy) {
		assertThat(RustEvent.content(rawEvent(copy, "raw"))).isNull();
	}

	@Test
	void leavesTheContentOutWhereAdkRustReadsIt() {
		assertThat(projected("raw").get("content")).isNull();
		assertThat(projected("none").get("content")).isNull();
		assertThat(projected("canonical").get("content")).isEqualTo(CONTENT);
	}

	private static JsonObject projected(String source) {
		JsonObject event = new JsonObject("", Map.of("content", CONTENT, "rawEvent", rawEvent("{}", source).toJson()));
		return V1Projection.of(ParsedEvent.of(event)).toObject();
	}

	private static JsonObject rawEvent(String copy, String source) {
		String event = JsonStrings.quote(Json.of(copy));
		return JsonObject.parse("{\"_adkRust\":{\"contentSource\":\"" + source + "\",\"adkEvent\":" + event + "}}");
	}

}
