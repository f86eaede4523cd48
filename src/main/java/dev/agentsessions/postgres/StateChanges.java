package dev.agentsessions.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.Removal;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/** The rows of the table {@code state} that a delta changes. */
final class StateChanges {

	private StateChanges() {
	}

	/** What a delta changes outside of the session itself. */
	static List<Row> shared(SessionKey key, StateDelta delta) {
		List<Row> rows = new ArrayList<>();
		add(rows, () -> ScopeKey.of(key.app()), delta.in(StateScope.APP));
		add(rows, () -> ScopeKey.of(key.user()), delta.in(StateScope.USER));
		return rows;
	}

	/** What a delta changes in the session itself. */
	static List<Row> own(SessionKey key, StateDelta delta) {
		List<Row> rows = new ArrayList<>();
		add(rows, () -> ScopeKey.of(key), delta.in(StateScope.SESSION));
		return rows;
	}

	/** All that a delta changes. */
	static List<Row> all(SessionKey key, StateDelta delta) {
		List<Row> rows = shared(key, delta);
		rows.addAll(own(key, delta));
		return rows;
	}

	static List<Row> of(StateOwner owner, Map<String, JsonText> changes) {
		List<Row> rows = new ArrayList<>();
		add(rows, () -> ScopeKey.of(owner), changes);
		return rows;
	}

	private static void add(List<Row> rows, Supplier<UUID> scope, Map<String, JsonText> changes) {
		if (!changes.isEmpty()) {
			UUID scopeKey = scope.get();
			changes.forEach((key, value) -> rows.add(new Row(scopeKey, key, value)));
		}
	}

	/**
	 * One change.
	 *
	 * @param scopeKey whose key
	 * @param key its name without prefix
	 * @param value the new value, or the mark of a removal
	 */
	record Row(UUID scopeKey, String key, JsonText value) {

		/** Whether the key is to be removed; JSON null is a value. */
		boolean isRemoval() {
			return Removal.is(this.value);
		}

		/**
		 * About how many bytes it has; counting characters is cheaper than encoding them.
		 */
		long bytes() {
			return this.key.length() + this.value.text().length();
		}

		/** The value as it is stored, {@code null} for a key that is to be removed. */
		@Nullable String textOrNull() {
			return isRemoval() ? null : this.value.text();
		}

	}

}
