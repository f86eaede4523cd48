package dev.agentsessions.adk.template;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.InstructionTemplate;

/**
 * The values of a state as a template inserts them. Each value is formatted once, however
 * often the template names its key.
 *
 * @param state the values by key
 * @param maxChars the maximum number of characters of the filled template
 * @param printed the formatted values by key
 */
record TemplateValues(Map<String, JsonText> state, int maxChars, Map<String, String> printed) {

	TemplateValues(Map<String, JsonText> state, int maxChars) {
		this(state, maxChars, new HashMap<>());
	}

	/**
	 * Returns the formatted value of a key, {@code null} if the state does not have the
	 * key.
	 * @throws InstructionTemplate.TooLongException if the value alone has too many
	 * characters
	 */
	@Nullable String print(String key) {
		JsonText value = this.state.get(key);
		if (value == null) {
			return null;
		}
		if (value.length() > this.maxChars) {
			throw new InstructionTemplate.TooLongException();
		}
		return this.printed.computeIfAbsent(key, (name) -> PythonFormatter.of(value));
	}

}
