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
 * {topic?}}. A key that ends in {@code ?} is optional. Braces around text that is not a
 * state key, and braces after {@code $} or a backslash, stay unchanged. Source: ADK
 * Python 2.13, {@code inject_session_state}.
 *
 * @param text the template
 */
public record InstructionTemplate(String text) {

	private static final Pattern PLACEHOLDER = Pattern.compile("(?<![${\\\\])\\{++([^{}]*+)}++");

	/** Bounds the error message: maximum number of missing keys in it. */
	private static final int MAX_MISSING_KEYS = 100;

	/** Bounds the error message: maximum number of characters of each key in it. */
	private static final int MAX_KEY_CHARS = 512;

	/**
	 * Replaces the keys by their values.
	 * @param valueOf returns the text of a key's value, {@code null} if the state does
	 * not have the key
	 * @param maxChars the maximum length of the result in characters
	 * @throws MissingKeysException with the first 100 missing keys that are not optional
	 * @throws TooLongException if the result is longer
	 */
	public String render(Function<String, @Nullable String> valueOf, int maxChars) {
		Set<String> missing = new LinkedHashSet<>();
		StringBuilder rendered = new StringBuilder();
		Matcher placeholder = PLACEHOLDER.matcher(this.text);
		int end = 0;
		while (placeholder.find() && missing.size() < MAX_MISSING_KEYS) {
			requireRoom(rendered, placeholder.start() - end, maxChars).append(this.text, end, placeholder.start());
			String value = replacement(placeholder, valueOf, missing);
			requireRoom(rendered, value.length(), maxChars).append(value);
			end = placeholder.end();
		}
		if (!missing.isEmpty()) {
			throw new MissingKeysException(missing);
		}
		return requireRoom(rendered, this.text.length() - end, maxChars).append(this.text, end, this.text.length())
			.toString();
	}

	private static StringBuilder requireRoom(StringBuilder text, int length, int maxChars) {
		if (text.length() + length > maxChars) {
			throw new TooLongException();
		}
		return text;
	}

	private static String replacement(MatchResult match, Function<String, @Nullable String> valueOf,
			Set<String> missing) {
		String name = match.group(1).strip();
		boolean optional = name.endsWith("?");
		String key = optional ? name.substring(0, name.length() - 1) : name;
		if (!isStateName(key)) {
			return match.group();
		}
		String value = valueOf.apply(key);
		if (value == null && !optional) {
			missing.add((key.length() > MAX_KEY_CHARS) ? key.substring(0, MAX_KEY_CHARS) + "..." : key);
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

	/** The result is longer than its maximum length. */
	public static class TooLongException extends RuntimeException {

	}

	/**
	 * The state does not have keys that a template requires. The message is written for
	 * the client.
	 */
	public static class MissingKeysException extends RuntimeException {

		private final transient List<String> keys;

		MissingKeysException(Set<String> keys) {
			super("The state has no " + String.join(", ", keys));
			this.keys = List.copyOf(keys);
		}

		@Override
		public String getMessage() {
			return Objects.requireNonNull(super.getMessage());
		}

		/** Returns the missing keys, prefixes included, in the order of the template. */
		public List<String> keys() {
			return this.keys;
		}

	}

}
