package dev.agentsessions.adk.template;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.InstructionTemplate;

/**
 * The values of a state as a template has them. However often the template names a key,
 * its value is printed once.
 *
 * @param state the values by key
 * @param longest how many characters the filled template may have
 * @param printed what was printed
 */
record TemplateValues(Map<String, JsonText> state, int longest, Map<String, String> printed) {

	TemplateValues(Map<String, JsonText> state, int longest) {
		this(state, longest, new HashMap<>());
	}

	/**
	 * What stands for the value of a key, {@code null} if there is none.
	 * @throws InstructionTemplate.TooLongException if the value alone is too much
	 */
	@Nullable String print(String key) {
		JsonText value = this.state.get(key);
		if (value == null) {
			return null;
		}
		if (value.text().length() > this.longest) {
			throw new InstructionTemplate.TooLongException();
		}
		return this.printed.computeIfAbsent(key, (name) -> PythonFormatter.of(value));
	}

}
