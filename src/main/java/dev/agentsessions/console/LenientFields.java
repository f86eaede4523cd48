package dev.agentsessions.console;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * Finds things in what somebody else has written, in both spellings, and gives up where
 * it is not what it should be: no event is so odd that its session cannot be shown.
 */
final class LenientFields {

	private LenientFields() {
	}

	/** A member, {@code null} if there is none under any of the names. */
	static @Nullable JsonText get(@Nullable JsonObject object, String... names) {
		for (String name : names) {
			JsonText value = (object != null) ? object.get(name) : null;
			if (value != null) {
				return value;
			}
		}
		return null;
	}

	/** What a string says; the text of any other value; blank if there is none. */
	static String text(@Nullable JsonObject object, String... names) {
		JsonText value = get(object, names);
		return (value != null) ? value.stringOrText() : "";
	}

	/** A member that is an object, {@code null} if there is none that can be read. */
	static @Nullable JsonObject object(@Nullable JsonObject object, String... names) {
		JsonText value = get(object, names);
		return (value != null) ? object(value) : null;
	}

	/** A value that is an object, {@code null} if it is none that can be read. */
	static @Nullable JsonObject object(JsonText value) {
		try {
			return value.isObject() ? JsonObject.parse(value.text()) : null;
		}
		catch (JsonException ex) {
			return null;
		}
	}

	/** The elements of a member that is an array, none if it is something else. */
	static List<JsonText> elements(@Nullable JsonObject object, String... names) {
		JsonText value = get(object, names);
		return (value != null && value.isArray()) ? value.elements("") : List.of();
	}

	/** A number of things, {@code null} if that is not what it says. */
	static @Nullable Long count(@Nullable JsonObject object, String... names) {
		try {
			JsonText value = get(object, names);
			return (value != null) ? Long.valueOf(value.wholeNumber("")) : null;
		}
		catch (JsonException ex) {
			return null;
		}
	}

}
