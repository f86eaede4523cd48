package dev.agentsessions.console.session;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.StateScope;

/**
 * A key that an event sets, in one line.
 *
 * @param key the key
 * @param before the beginning of its earlier value; blank if that is unknown or the same
 * @param after the beginning of its value
 */
record StateChange(TruncatedText key, String before, String after) {

	private static final int MAX_CHANGES = 5;

	private static final int MAX_KEY_CHARS = 60;

	private static final int MAX_VALUE_CHARS = 40;

	/**
	 * Returns the first changes of an event, and adds all of them to a state.
	 * @param delta the keys that the event sets; {@code null} for none
	 * @param state the known values before the event. Other sessions may change shared
	 * keys in between, so these are not known
	 */
	static List<StateChange> of(@Nullable JsonObject delta, Map<String, JsonText> state, ReadingMode mode) {
		if (delta == null) {
			return List.of();
		}
		List<StateChange> changes = delta.members()
			.entrySet()
			.stream()
			.limit(MAX_CHANGES)
			.map((change) -> of(change.getKey(), state.get(change.getKey()), change.getValue(), mode))
			.toList();
		delta.members().forEach((key, value) -> {
			if (StateScope.of(key) == StateScope.SESSION) {
				state.put(key, value);
			}
		});
		return changes;
	}

	private static StateChange of(String key, @Nullable JsonText before, JsonText after, ReadingMode mode) {
		return new StateChange(TruncatedText.of(key, MAX_KEY_CHARS),
				(before != null && !before.equals(after)) ? brief(before, mode) : "", brief(after, mode));
	}

	private static String brief(JsonText value, ReadingMode mode) {
		TruncatedText text = mode.json(value, MAX_VALUE_CHARS * 2);
		boolean string = value.isString() && !mode.isStored();
		return TruncatedText.brief(string ? value.stringOrText() : text.text(), MAX_VALUE_CHARS);
	}

}
