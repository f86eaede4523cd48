package dev.agentsessions.json;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of known fields in both spellings that the ADKs use. */
public final class FieldNames {

	private static final Pattern CAPITAL = Pattern.compile("([A-Z])");

	private static final Pattern UNDERSCORE = Pattern.compile("(?<=[a-z0-9])_([a-z])");

	private static final Pattern JOINTS = Pattern.compile("[ _.-]");

	private FieldNames() {
	}

	/** These names by what they are in snake_case. */
	public static Map<String, String> bySnakeCase(String... camelCase) {
		return Stream.of(camelCase).collect(Collectors.toUnmodifiableMap(FieldNames::toSnakeCase, Function.identity()));
	}

	/** What these names are in camelCase, whichever of the two they are. */
	public static Map<String, String> byAnyCase(Collection<String> names) {
		return names.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), FieldNames::toCamelCase));
	}

	/** Which of these names one is in other letters: large or small, joined or not. */
	public static Optional<String> meant(String name, Collection<String> names) {
		String letters = letters(name);
		return names.stream().filter((known) -> !known.equals(name) && letters(known).equals(letters)).findFirst();
	}

	private static String letters(String name) {
		return JOINTS.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
	}

	/** A name in camelCase, whichever of the two it was. */
	public static String toCamelCase(String name) {
		return (name.indexOf('_') < 0) ? name
				: UNDERSCORE.matcher(name).replaceAll((match) -> match.group(1).toUpperCase(Locale.ROOT));
	}

	private static String toSnakeCase(String name) {
		return CAPITAL.matcher(name).replaceAll("_$1").toLowerCase(Locale.ROOT);
	}

}
