package dev.agentsessions.session.event;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StorableText;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/** Reads and writes state deltas as JSON. */
public final class StateDeltas {

	private StateDeltas() {
	}

	/**
	 * Reads the changes of the state from a map of keys and values.
	 * @param changes the map, {@code null} for no changes
	 * @throws SessionException.InvalidArgument if a key cannot be stored
	 */
	public static StateDelta of(@Nullable JsonObject changes) {
		if (changes == null) {
			return StateDelta.EMPTY;
		}
		changes.members().keySet().forEach((key) -> checkKey(changes.path(), key));
		return new StateDelta(changes.members());
	}

	/**
	 * Refuses a key with a prefix, where the request names the scope.
	 * @throws SessionException.InvalidArgument if the key has the prefix of a scope
	 */
	public static void checkNoPrefix(String key) {
		if (StateScope.of(key) != StateScope.SESSION) {
			throw new SessionException.InvalidArgument(key, "must be written without prefix here");
		}
	}

	/** Returns the changes as a JSON object. */
	public static JsonText toJson(StateDelta delta) {
		return new JsonObject("", delta.changes()).toJson();
	}

	private static void checkKey(String path, String key) {
		if (key.codePointCount(0, key.length()) > Identifiers.MAX_CODE_POINTS) {
			throw invalid(path, "has a key of more than " + Identifiers.MAX_CODE_POINTS + " characters");
		}
		if (!StorableText.test(key)) {
			throw invalid(path, "has the key " + JsonStrings.quote(key) + ": a key " + StorableText.RULE);
		}
	}

	private static SessionException.InvalidArgument invalid(String path, String rule) {
		return new SessionException.InvalidArgument(path.isEmpty() ? "The body" : path, rule);
	}

}
