package dev.agentsessions.console.compare;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonText;

/**
 * The difference of two states.
 *
 * @param keys the keys that differ, in sorted order
 * @param omittedKeys the number of keys that differ and are not shown
 * @param sameKeys the number of keys with the same value
 */
record StateDifference(List<Key> keys, int omittedKeys, int sameKeys) {

	private static final int MAX_KEYS = 200;

	private static final int MAX_VALUE_CHARS = 2000;

	static StateDifference of(Map<String, JsonText> ours, Map<String, JsonText> theirs, ReadingMode mode) {
		TreeSet<String> names = new TreeSet<>(ours.keySet());
		names.addAll(theirs.keySet());
		List<String> different = names.stream().filter((name) -> !isSame(ours.get(name), theirs.get(name))).toList();
		List<Key> keys = different.stream()
			.limit(MAX_KEYS)
			.map((name) -> new Key(TruncatedText.of(name, TruncatedText.MAX_LINE_CHARS), view(ours.get(name), mode),
					view(theirs.get(name), mode)))
			.toList();
		return new StateDifference(keys, different.size() - keys.size(), names.size() - different.size());
	}

	private static boolean isSame(@Nullable JsonText one, @Nullable JsonText other) {
		return one != null && one.isSameValueAs(other);
	}

	private static @Nullable TruncatedText view(@Nullable JsonText value, ReadingMode mode) {
		return (value != null) ? mode.json(value, MAX_VALUE_CHARS) : null;
	}

	/**
	 * A key that differs.
	 *
	 * @param name its name
	 * @param ours its value in the first session; {@code null} if it has none
	 * @param theirs its value in the other session
	 */
	record Key(TruncatedText name, @Nullable TruncatedText ours, @Nullable TruncatedText theirs) {

	}

}
