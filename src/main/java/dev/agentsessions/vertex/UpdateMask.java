package dev.agentsessions.vertex;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;

/** The parameter {@code updateMask} of a change: the names of the fields to change. */
public final class UpdateMask {

	private UpdateMask() {
	}

	/**
	 * Returns the names in camelCase, or those of all fields that the request has.
	 * @param text the parameter, in camelCase or snake_case
	 * @throws SessionException.InvalidArgument if it names another field
	 */
	public static Set<String> of(@Nullable String text, JsonObject fields, Set<String> changeable) {
		if (text == null || text.isBlank() || text.equals("*")) {
			return fields.members().keySet();
		}
		Set<String> mask = Arrays.stream(text.split(","))
			.map(String::strip)
			.map(FieldNames::toCamelCase)
			.collect(Collectors.toCollection(LinkedHashSet::new));
		InvalidArgument.check(changeable.containsAll(mask), "updateMask", "must only name fields of " + changeable);
		return mask;
	}

}
