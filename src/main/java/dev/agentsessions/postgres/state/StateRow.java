package dev.agentsessions.postgres.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.state.RemovalMarker;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * A row of the table {@code state} that a write changes.
 *
 * @param scope whether it is a key of an app, of a user or of a session
 * @param scopeKey of which one
 * @param key its name without prefix
 * @param value the new value, or the mark of a removal
 */
public record StateRow(StateScope scope, UUID scopeKey, String key, JsonText value) {

	/**
	 * All that a delta changes.
	 * @param sessionKey the key of the session
	 */
	public static List<StateRow> of(SessionKey session, UUID sessionKey, StateDelta delta) {
		List<StateRow> rows = new ArrayList<>();
		add(rows, StateScope.APP, () -> ScopeKey.of(session.app()), delta.in(StateScope.APP));
		add(rows, StateScope.USER, () -> ScopeKey.of(session.user()), delta.in(StateScope.USER));
		rows.addAll(ofSession(sessionKey, delta.in(StateScope.SESSION)));
		return rows;
	}

	/** Changes of a session's own state. */
	public static List<StateRow> ofSession(UUID sessionKey, Map<String, JsonText> changes) {
		List<StateRow> rows = new ArrayList<>();
		add(rows, StateScope.SESSION, () -> sessionKey, changes);
		return rows;
	}

	/** Changes of shared state, keys without prefix. */
	public static List<StateRow> of(StateOwner owner, Map<String, JsonText> changes) {
		List<StateRow> rows = new ArrayList<>();
		add(rows, owner.scope(), () -> ScopeKey.of(owner), changes);
		return rows;
	}

	private static void add(List<StateRow> rows, StateScope scope, Supplier<UUID> owner,
			Map<String, JsonText> changes) {
		if (!changes.isEmpty()) {
			UUID scopeKey = owner.get();
			changes.forEach((key, value) -> rows.add(new StateRow(scope, scopeKey, key, value)));
		}
	}

	/** Whether it is a key that other sessions have, too. */
	public boolean isShared() {
		return this.scope != StateScope.SESSION;
	}

	/** Whether the key is to be removed; JSON null is a value. */
	public boolean isRemoval() {
		return RemovalMarker.is(this.value);
	}

	/**
	 * About how many bytes it has; counting characters is cheaper than encoding them.
	 */
	public long bytes() {
		return this.key.length() + this.value.text().length();
	}

	/** The value as it is stored, {@code null} for a key that is to be removed. */
	public @Nullable String textOrNull() {
		return isRemoval() ? null : this.value.text();
	}

}
