package dev.agentsessions.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.state.InstructionTemplate.MissingKeysException;

/** Which braces of an instruction are filled in. */
class InstructionTemplateTests {

	private static final Map<String, String> STATE = Map.of("topic", "Spring", "user:name", "Ana", "app:motd",
			"{topic} costs $1 \\1", "_x1", "one", "\u540d\u524d", "\u82b1", "empty", "", "App:x", "never", "a-b",
			"never");

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			You are helping {user:name} with {topic}. | You are helping Ana with Spring.
			no braces                                 | no braces
			{topic}{topic}                            | SpringSpring
			{ topic } {topic }                        | Spring Spring
			{_x1}                                     | one
			{\u540d\u524d}                                      | \u82b1
			<{empty}>                                 | <>
			{app:motd}                                | {topic} costs $1 \\1
			{{topic}}                                 | Spring
			""")
	void fillsInValues(String template, String text) {
		assertThat(render(template)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			<{missing?}>             | <>
			<{user:missing?}>        | <>
			<{temp:missing?}>        | <>
			<{topic?}>               | <Spring>
			<{ topic? }>             | <Spring>
			""")
	void fillsInOptionalKeysWhereTheyAre(String template, String text) {
		assertThat(render(template)).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{ }", "{?}", "{1}", "{1x}", "{a-b}", "{a b}", "{a.b}", "{a['b']}", "{\"a\": 1}",
			"{'a'}", "{topic??}", "{topic ?}", "{app:}", "{:x}", "{user: name}", "{other:topic}", "{App:x}",
			"{app:user:name}", "{topic:}", "{topic", "topic}", "{\n}", "{topic!r}", "{topic:>10}", "${topic}",
			"${user:name}", "\\{topic}", "\\{missing}", "${missing}", "{a,b}", "{#topic}", "{%topic%}" })
	void leavesEverythingElseAsItIs(String template) {
		assertThat(render(template)).isEqualTo(template);
	}

	@Test
	void fillsInValuesBesideOtherBraces() {
		assertThat(render("Answer {\"topic\": \"{topic}\", \"cost\": ${topic}} to {user:name}"))
			.isEqualTo("Answer {\"topic\": \"Spring\", \"cost\": ${topic}} to Ana");
	}

	@Test
	void namesAllMissingKeysOnceInTheirOrder() {
		assertThatExceptionOfType(MissingKeysException.class)
			.isThrownBy(() -> render("{user:b} {topic} {a} {temp:c} {d?} {user:b} ${e} {f-g}"))
			.satisfies((missing) -> assertThat(missing.keys()).containsExactly("user:b", "a", "temp:c"))
			.withMessage("The state has no user:b, a, temp:c");
	}

	private static String render(String template) {
		return new InstructionTemplate(template).render(STATE::get, 1000);
	}

}
