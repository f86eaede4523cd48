package dev.agentsessions.adk.session;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.state.InstructionTemplate;

/** Fills the template of an agent's instruction with the state of a session. */
@RestController
class InstructionTemplateController {

	private final SessionService sessions;

	InstructionTemplateController(SessionService sessions) {
		this.sessions = sessions;
	}

	@PostMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}:render")
	Rendered renderTemplate(SessionName name, @RequestBody JsonObject body) {
		String template = KnownFields.TEMPLATE.check(body).string("template");
		if (template == null) {
			throw new JsonException.InvalidShape("template", "is required and must be a string");
		}
		Map<String, JsonText> state = this.sessions.get(name, EventWindow.NONE).state();
		return new Rendered(render(template, new TemplateValues(state, this.sessions.templateSize())));
	}

	private static String render(String template, TemplateValues state) {
		try {
			return new InstructionTemplate(template).render(state::print, state.maxChars());
		}
		catch (InstructionTemplate.TooLongException ex) {
			throw new SessionException.TooLarge("The filled template", state.maxChars(), "characters",
					"agent-sessions.limits.template-size");
		}
	}

	/**
	 * The response.
	 *
	 * @param text the instruction with the values of the state
	 */
	record Rendered(String text) {

	}

	/**
	 * The values of a state as a template inserts them. Each value is formatted once,
	 * however often the template names its key.
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
		 * Returns the formatted value of a key, {@code null} if the state does not have
		 * the key.
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

	/**
	 * Formats a JSON value as Python's {@code str} does, because ADK inserts the values
	 * of the state into instructions in this format: {@code True}, {@code None},
	 * {@code ['a', 1.5]}.
	 */
	static final class PythonFormatter {

		private static final JsonFactory JSON = new JsonFactory();

		private static final int MIN_PLAIN_EXPONENT = -4;

		private static final int MAX_PLAIN_EXPONENT = 15;

		private PythonFormatter() {
		}

		/**
		 * Formats a value. A null at the top level gives an empty text, a nested null
		 * gives {@code None}.
		 */
		static String of(JsonText value) {
			try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), value.text())) {
				JsonToken token = parser.nextToken();
				return switch (token) {
					case VALUE_STRING -> parser.getString();
					case VALUE_NULL -> "";
					default -> print(parser, token);
				};
			}
		}

		private static String print(JsonParser parser, JsonToken token) {
			return switch (token) {
				case START_OBJECT -> printObject(parser);
				case START_ARRAY -> printArray(parser);
				case VALUE_STRING -> quote(parser.getString());
				case VALUE_NUMBER_FLOAT -> printFloat(Double.parseDouble(parser.getString()));
				case VALUE_NUMBER_INT -> parser.getString().equals("-0") ? "0" : parser.getString();
				case VALUE_TRUE -> "True";
				case VALUE_FALSE -> "False";
				default -> "None";
			};
		}

		private static String printObject(JsonParser parser) {
			StringJoiner text = new StringJoiner(", ", "{", "}");
			while (parser.nextToken() != JsonToken.END_OBJECT) {
				String name = quote(parser.currentName());
				text.add(name + ": " + print(parser, parser.nextToken()));
			}
			return text.toString();
		}

		private static String printArray(JsonParser parser) {
			StringJoiner text = new StringJoiner(", ", "[", "]");
			for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
				text.add(print(parser, token));
			}
			return text.toString();
		}

		private static String printFloat(double number) {
			if (Double.isInfinite(number)) {
				return (number > 0) ? "inf" : "-inf";
			}
			if (number == 0) {
				return (1 / number > 0) ? "0.0" : "-0.0";
			}
			BigDecimal digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
			int exponent = digits.precision() - digits.scale() - 1;
			if (exponent < MIN_PLAIN_EXPONENT || exponent > MAX_PLAIN_EXPONENT) {
				String mantissa = digits.movePointLeft(exponent).stripTrailingZeros().toPlainString();
				return "%se%s%02d".formatted(mantissa, (exponent < 0) ? "-" : "+", Math.abs(exponent));
			}
			return (digits.scale() > 0) ? digits.toPlainString() : digits.toPlainString() + ".0";
		}

		private static String quote(String text) {
			char quote = (text.indexOf('\'') >= 0 && text.indexOf('"') < 0) ? '"' : '\'';
			StringBuilder quoted = new StringBuilder().append(quote);
			text.codePoints().forEach((character) -> quoted.append(escape(character, quote)));
			return quoted.append(quote).toString();
		}

		private static String escape(int character, char quote) {
			return switch (character) {
				case '\\' -> "\\\\";
				case '\n' -> "\\n";
				case '\r' -> "\\r";
				case '\t' -> "\\t";
				default -> {
					if (character == quote) {
						yield "\\" + quote;
					}
					yield isPrintable(character) ? Character.toString(character) : escapeCode(character);
				}
			};
		}

		private static String escapeCode(int character) {
			if (character <= 0xff) {
				return "\\x%02x".formatted(character);
			}
			return (character <= 0xffff) ? "\\u%04x".formatted(character) : "\\U%08x".formatted(character);
		}

		private static boolean isPrintable(int character) {
			return switch (Character.getType(character)) {
				case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE,
						Character.UNASSIGNED, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
					false;
				case Character.SPACE_SEPARATOR -> character == ' ';
				default -> true;
			};
		}

	}

}
