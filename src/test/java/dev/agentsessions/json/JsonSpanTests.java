package dev.agentsessions.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.json.JsonSpan.JsonEdits;
import dev.agentsessions.support.Json;

/** Finds values by their places. */
class JsonSpanTests {

	private static final List<String> WORDS = List.of("null", "true", "-0.5E+10", "\"\"", "\"\\\"\"", "\"\\\\\"",
			"\"\\\\\\\"]}\"", "\"a,b:c\"", "\"日本語\"", "{}", "[]", "[ ]", "{ }", "\"\\u0022\"");

	private static final List<String> SPACES = List.of("", "", " ", "\n", "\t \r");

	private final Random random = new Random(7);

	@Test
	void findsWhatAParserFinds() {
		for (int round = 0; round < 500; round++) {
			String text = space() + value(4) + space();
			JsonSpan span = JsonSpan.of(new JsonText(text));
			assertThat(span.toJson().text()).isEqualTo(text.strip());
			assertSame(span, Json.read(text));
		}
	}

	private void assertSame(JsonSpan span, JsonNode node) {
		assertThat(Json.read(span.toJson().text())).isEqualTo(node);
		assertThat(List.of(span.isObject(), span.isArray(), span.isString(), span.isNull()))
			.containsExactly(node.isObject(), node.isArray(), node.isString(), node.isNull());
		List<JsonSpan> children = new ArrayList<>();
		if (node.isObject()) {
			span.forEachMember((member) -> children.add(member.value()));
		}
		else if (node.isArray()) {
			span.forEachElement((element, place) -> {
				assertThat(place).isEqualTo(children.size());
				children.add(element);
			});
		}
		assertThat(children).hasSize(node.size());
		for (int i = 0; i < children.size(); i++) {
			assertSame(children.get(i), node.valueStream().toList().get(i));
		}
	}

	@Test
	void tellsTheOnlyMemberFromOthers() {
		JsonSpan object = JsonSpan.of(new JsonText("{\"a\" : 1,\"b\":2,\"\\u0063\":3,\"b\":4}"));
		assertThat(object.only(Set.of("a", "x")).orElseThrow().value().toJson().text()).isEqualTo("1");
		assertThat(object.only(Set.of("c")).orElseThrow().name().toJson().text()).isEqualTo("\"\\u0063\"");
		assertThat(object.only(Set.of("b"))).isEmpty();
		assertThat(object.has(Set.of("b"))).isTrue();
		assertThat(object.only(Set.of("x"))).isEmpty();
		assertThat(object.has(Set.of("x"))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "[\"a\"]", "\"a\"", "null", "1" })
	void hasNoMembersWhereThereIsNoObject(String text) {
		assertThat(JsonSpan.of(new JsonText(text)).has(Set.of("a"))).isFalse();
	}

	@Test
	void changesNothingButWhatIsReplaced() {
		JsonText text = new JsonText("{ \"z\":[1 , 2], \"a\" :\"x\"}");
		JsonEdits edits = new JsonEdits(text);
		assertThat(edits.isEmpty()).isTrue();
		JsonSpan.Member last = JsonSpan.of(text).only(Set.of("a")).orElseThrow();
		JsonSpan.Member first = JsonSpan.of(text).only(Set.of("z")).orElseThrow();
		edits.replace(last, "\"b\"", "3");
		edits.replace(first.name(), "\"y\"");
		assertThat(edits.isEmpty()).isFalse();
		assertThat(edits.result().text()).isEqualTo("{ \"y\":[1 , 2], \"b\":3}");
	}

	private String value(int depth) {
		int count = this.random.nextInt(4);
		return switch ((depth == 0) ? 2 : this.random.nextInt(3)) {
			case 0 -> "{" + members(count, depth) + "}";
			case 1 -> "[" + elements(count, depth) + "]";
			default -> WORDS.get(this.random.nextInt(WORDS.size()));
		};
	}

	private String members(int count, int depth) {
		StringBuilder members = new StringBuilder(space());
		for (int i = 0; i < count; i++) {
			members.append((i > 0) ? "," + space() : "").append("\"n\\\"").append(i).append('"').append(space());
			members.append(':').append(space()).append(value(depth - 1)).append(space());
		}
		return members.toString();
	}

	private String elements(int count, int depth) {
		StringBuilder elements = new StringBuilder(space());
		for (int i = 0; i < count; i++) {
			elements.append((i > 0) ? "," + space() : "").append(value(depth - 1)).append(space());
		}
		return elements.toString();
	}

	private String space() {
		return SPACES.get(this.random.nextInt(SPACES.size()));
	}

}
