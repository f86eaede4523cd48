package dev.agentsessions.state;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * An agent's instruction with state keys in braces: {@code Help {user:name} with
 * {topic?}}. A key that ends in {@code ?} is optional. Braces around anything that is no
 * state key, and braces after {@code $} or a backslash, stay as they are. Source: ADK
 * Python 2.13, {@code inject_session_state}.
 *
 * @param text the template
 */
public record InstructionTemplate(String text) {

	private static final Pattern PLACEHOLDER = Pattern.compile("(?<![${\\\\])\\{++([^{}]*+)}++");

	/** So many missing keys are named, and so many characters of each. */
	private static final int MISSING_NAMED = 100;

	private static final int LONGEST_NAMED = 512;

	/**
	 * Fills in the state's values.
	 * @param printed what stands for the value of a key, {@code null} if the state has no
	 * such key
	 * @param longest how many characters the text may have
	 * @throws MissingKeysException naming keys that are neither there nor optional, the
	 * first hundred of them
	 * @throws TooLongException if the text has more
	 */
	public String render(Function<String, @Nullable String> printed, int longest) {
		Set<String> missing = new LinkedHashSet<>();
		StringBuilder rendered = new StringBuilder();
		Matcher placeholder = PLACEHOLDER.matcher(this.text);
		int end = 0;
		while (placeholder.find() && missing.size() < MISSING_NAMED) {
			append(rendered, placeholder.start() - end, longest).append(this.text, end, placeholder.start());
			String value = replacement(placeholder, printed, missing);
			append(rendered, value.length(), longest).append(value);
			end = placeholder.end();
		}
		if (!missing.isEmpty()) {
			throw new MissingKeysException(missing);
		}
		return append(rendered, this.text.length() - end, longest).append(this.text, end, this.text.length())
			.toString();
	}

	private static StringBuilder append(StringBuilder text, int length, int longest) {
		if (text.length() + length > longest) {
			throw new TooLongException();
		}
		return text;
	}

	private static String replacement(MatchResult match, Function<String, @Nullable String> printed,
			Set<String> missing) {
		String name = match.group(1).strip();
		boolean optional = name.endsWith("?");
		String key = optional ? name.substring(0, name.length() - 1) : name;
		if (!isStateName(key)) {
			return match.group();
		}
		String value = printed.apply(key);
		if (value == null && !optional) {
			missing.add((key.length() > LONGEST_NAMED) ? key.substring(0, LONGEST_NAMED) + "..." : key);
		}
		return (value != null) ? value : "";
	}

	private static boolean isStateName(String key) {
		return isIdentifier(StateScope.of(key).strip(key));
	}

	private static boolean isIdentifier(String name) {
		return !name.isEmpty() && (name.charAt(0) == '_' || Character.isUnicodeIdentifierStart(name.codePointAt(0)))
				&& name.codePoints()
					.allMatch((c) -> Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
	}

	/** A filled template is longer than it may be. */
	public static class TooLongException extends RuntimeException {

	}

	/** A template names keys that the state does not have. */
	public static class MissingKeysException extends RuntimeException {

		private final transient List<String> keys;

		MissingKeysException(Set<String> keys) {
			super("The state has no " + String.join(", ", keys));
			this.keys = List.copyOf(keys);
		}

		/** What is wrong, for the client. */
		@Override
		public String getMessage() {
			return Objects.requireNonNull(super.getMessage());
		}

		/** The missing keys, prefixes included, in the order of the template. */
		public List<String> keys() {
			return this.keys;
		}

	}

}
