package dev.agentsessions.json;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Reads members whose names and types nobody has checked: in camelCase or snake_case, and
 * a value of the wrong type makes no method fail.
 */
public final class LenientFields {

	private LenientFields() {
	}

	/**
	 * Returns a member; {@code null} if it is absent or JSON null.
	 * @param name its name in camelCase, which counts if both spellings are there
	 */
	public static @Nullable JsonText get(@Nullable JsonObject object, String name) {
		if (object == null) {
			return null;
		}
		JsonText value = object.get(name);
		return (value != null) ? value : object.get(FieldNames.toSnakeCase(name));
	}

	/**
	 * Returns the value of a string, or the JSON text of any other value; blank if there
	 * is no member.
	 */
	public static String text(@Nullable JsonObject object, String name) {
		JsonText value = get(object, name);
		return (value != null) ? value.stringOrText() : "";
	}

	/**
	 * Returns a member that is an object; {@code null} if it is missing, no object or
	 * malformed.
	 */
	public static @Nullable JsonObject object(@Nullable JsonObject object, String name) {
		return object(get(object, name));
	}

	/** Returns a value as an object; {@code null} if it is no object or malformed. */
	public static @Nullable JsonObject object(@Nullable JsonText value) {
		try {
			return (value != null && value.isObject()) ? JsonObject.of(value) : null;
		}
		catch (JsonException ex) {
			return null;
		}
	}

	/** Returns the elements of a member that is an array; none if it is not. */
	public static List<JsonText> elements(@Nullable JsonObject object, String name) {
		JsonText value = get(object, name);
		return (value != null && value.isArray()) ? value.elements("") : List.of();
	}

}
