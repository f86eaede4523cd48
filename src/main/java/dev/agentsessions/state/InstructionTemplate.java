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

	private static final Pattern PLACEHOLDER = Pattern.compile("(?<![${\\\\])\\{+([^{}]*)}+");

	/**
	 * Fills in the state's values.
	 * @param printed what stands for the value of a key, {@code null} if the state has no
	 * such key
	 * @throws MissingKeysException naming every key that is neither there nor optional
	 */
	public String render(Function<String, @Nullable String> printed) {
		Set<String> missing = new LinkedHashSet<>();
		String rendered = PLACEHOLDER.matcher(this.text)
			.replaceAll((match) -> Matcher.quoteReplacement(replacement(match, printed, missing)));
		if (!missing.isEmpty()) {
			throw new MissingKeysException(missing);
		}
		return rendered;
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
			missing.add(key);
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
