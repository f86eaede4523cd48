package dev.agentsessions.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.agentsessions.json.JsonText;

/**
 * The changes that one event makes to the state. Each value replaces the whole old value
 * of its key, also if it is JSON null; {@link RemovalMarker#REMOVED} removes the key.
 *
 * @param changes the new value of each changed key, prefixes included, in the order sent
 */
public record StateDelta(Map<String, JsonText> changes) {

	/** A delta without changes. */
	public static final StateDelta EMPTY = new StateDelta(Map.of());

	public StateDelta {
		changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
	}

	public boolean isEmpty() {
		return this.changes.isEmpty();
	}

	/** Returns this delta without the keys that are never stored. */
	public StateDelta stored() {
		Map<String, JsonText> stored = new LinkedHashMap<>(this.changes);
		return stored.keySet().removeIf((key) -> !StateScope.of(key).isStored()) ? new StateDelta(stored) : this;
	}

	/**
	 * Returns this delta with a removal in place of each null, for clients that remove a
	 * key with null.
	 */
	public StateDelta withNullsAsRemovals() {
		Map<String, JsonText> removing = new LinkedHashMap<>(this.changes);
		removing.replaceAll((key, value) -> value.isNull() ? RemovalMarker.REMOVED : value);
		return new StateDelta(removing);
	}

	/** Returns this delta without the keys that it removes. */
	public StateDelta withoutRemovals() {
		return new StateDelta(apply(Map.of(), this.changes));
	}

	/** Returns the changes of one scope, keys without prefix. */
	public Map<String, JsonText> in(StateScope scope) {
		Map<String, JsonText> changesInScope = new LinkedHashMap<>();
		this.changes.forEach((key, value) -> {
			if (StateScope.of(key) == scope) {
				changesInScope.put(scope.strip(key), value);
			}
		});
		return changesInScope;
	}

	/**
	 * Returns this delta followed by another one. If both have a key, the later value
	 * wins.
	 */
	public StateDelta then(StateDelta later) {
		if (isEmpty()) {
			return later;
		}
		Map<String, JsonText> both = new LinkedHashMap<>(this.changes);
		both.putAll(later.changes);
		return new StateDelta(both);
	}

	/**
	 * Applies changes to the state of one scope. A value replaces the old one, also if it
	 * is JSON null; {@link RemovalMarker#REMOVED} removes the key.
	 * @return the changed copy
	 */
	public static Map<String, JsonText> apply(Map<String, JsonText> values, Map<String, JsonText> changes) {
		Map<String, JsonText> changed = new LinkedHashMap<>(values);
		changed.putAll(changes);
		changed.values().removeIf(RemovalMarker::is);
		return changed;
	}

	/**
	 * The sentinel that removes a key in a state delta: a string that no client stores on
	 * purpose. JSON null is a value like any other. Only this class contains the literal.
	 * Source: {@code State.REMOVED} of ADK Java 1.8.
	 */
	public static final class RemovalMarker {

		/** Removes the key whose value it is. */
		public static final JsonText REMOVED = new JsonText("\"__ADK_SENTINEL_REMOVED__\"");

		private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-Fa-f]{4})");

		/** Length of the sentinel in characters if each of them is escaped. */
		private static final int MAX_ESCAPED_CHARS = "\\u005f".length() * REMOVED.length();

		private RemovalMarker() {
		}

		/**
		 * Returns whether a value of a delta removes its key, also if it contains
		 * escapes.
		 */
		public static boolean is(JsonText value) {
			return REMOVED.equals(value)
					|| (mayBeEscaped(value.text()) && REMOVED.text().equals(unescaped(value.text())));
		}

		/** Fast path: most values are not the sentinel, and some are long. */
		private static boolean mayBeEscaped(String value) {
			return value.startsWith("\"") && value.length() <= MAX_ESCAPED_CHARS && value.indexOf('\\') > 0;
		}

		/** Decodes the only escapes that the characters of the sentinel have. */
		private static String unescaped(String value) {
			return ESCAPE.matcher(value).replaceAll((escape) -> {
				char character = (char) Integer.parseInt(escape.group(1), 16);
				return Matcher.quoteReplacement(String.valueOf(character));
			});
		}

	}

}
