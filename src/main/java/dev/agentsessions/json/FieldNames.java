package dev.agentsessions.json;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Converts names of known fields between camelCase and snake_case, as the ADKs use both.
 */
public final class FieldNames {

	private static final Pattern UNDERSCORE = Pattern.compile("(?<=[a-z0-9])_([a-z])");

	private static final Pattern SEPARATORS = Pattern.compile("[ _.-]");

	private FieldNames() {
	}

	/** Returns these names by their snake_case spelling. */
	public static Map<String, String> bySnakeCase(String... camelCase) {
		return Stream.of(camelCase).collect(Collectors.toUnmodifiableMap(FieldNames::toSnakeCase, Function.identity()));
	}

	/**
	 * Returns the camelCase spelling of each of these names, whose spelling may be
	 * either.
	 */
	public static Map<String, String> byAnyCase(Collection<String> names) {
		return names.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), FieldNames::toCamelCase));
	}

	/** Returns the known name that differs from a name only in case and separators. */
	public static Optional<String> meant(String name, Collection<String> names) {
		String letters = letters(name);
		return names.stream().filter((known) -> !known.equals(name) && letters(known).equals(letters)).findFirst();
	}

	private static String letters(String name) {
		return SEPARATORS.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
	}

	/** Returns a name in camelCase, from either spelling. */
	public static String toCamelCase(String name) {
		return (name.indexOf('_') < 0) ? name
				: UNDERSCORE.matcher(name).replaceAll((match) -> match.group(1).toUpperCase(Locale.ROOT));
	}

	/** Returns a name in snake_case, from camelCase. */
	public static String toSnakeCase(String name) {
		StringBuilder snakeCase = new StringBuilder(name.length() + 4);
		for (int i = 0; i < name.length(); i++) {
			char letter = name.charAt(i);
			if (letter >= 'A' && letter <= 'Z') {
				snakeCase.append('_');
			}
			snakeCase.append(Character.toLowerCase(letter));
		}
		return snakeCase.toString();
	}

	/** Returns both spellings of a name in camelCase. */
	public static Set<String> spellings(String... camelCase) {
		return Stream.concat(Stream.of(camelCase), Stream.of(camelCase).map(FieldNames::toSnakeCase))
			.collect(Collectors.toUnmodifiableSet());
	}

}
