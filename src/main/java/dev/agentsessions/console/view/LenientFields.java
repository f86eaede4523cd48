package dev.agentsessions.console.view;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * Reads fields of events in camelCase and snake_case, and ignores values of the wrong
 * type, so that a malformed event does not hide its session.
 */
public final class LenientFields {

	private LenientFields() {
	}

	/**
	 * Returns the first member with one of the names; {@code null} if there is none.
	 */
	public static @Nullable JsonText get(@Nullable JsonObject object, String... names) {
		for (String name : names) {
			JsonText value = (object != null) ? object.get(name) : null;
			if (value != null) {
				return value;
			}
		}
		return null;
	}

	/**
	 * Returns the value of a string, or the JSON text of any other value; blank if there
	 * is no member.
	 */
	public static String text(@Nullable JsonObject object, String... names) {
		JsonText value = get(object, names);
		return (value != null) ? value.stringOrText() : "";
	}

	/**
	 * Returns a member that is an object; {@code null} if it is missing, no object or
	 * malformed.
	 */
	public static @Nullable JsonObject object(@Nullable JsonObject object, String... names) {
		JsonText value = get(object, names);
		return (value != null) ? object(value) : null;
	}

	/** Returns a value as an object; {@code null} if it is no object or malformed. */
	public static @Nullable JsonObject object(JsonText value) {
		try {
			return value.isObject() ? JsonObject.of(value) : null;
		}
		catch (JsonException ex) {
			return null;
		}
	}

	/** Returns the elements of a member that is an array; none if it is not. */
	public static List<JsonText> elements(@Nullable JsonObject object, String... names) {
		JsonText value = get(object, names);
		return (value != null && value.isArray()) ? value.elements("") : List.of();
	}

}
