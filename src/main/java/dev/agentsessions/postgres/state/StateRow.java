package dev.agentsessions.postgres.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateDelta.RemovalMarker;
import dev.agentsessions.state.StateScope;

/**
 * A row of the table {@code state} that a write changes.
 *
 * @param scope whether the key is one of an app, of a user or of a session
 * @param scopeKey the key of this app, user or session
 * @param key the key in the state, without prefix
 * @param value the new value, or the marker of a removal ({@link RemovalMarker})
 */
public record StateRow(StateScope scope, UUID scopeKey, String key, JsonText value) {

	/**
	 * Returns the rows that a delta changes.
	 * @param sessionKey the key of the session
	 */
	public static List<StateRow> of(SessionName session, UUID sessionKey, StateDelta delta) {
		List<StateRow> rows = new ArrayList<>();
		session.owners().forEach((owner) -> rows.addAll(of(owner, delta.in(owner.scope()))));
		rows.addAll(ofSession(sessionKey, delta.in(StateScope.SESSION)));
		return rows;
	}

	/** Returns the rows for changes of a session's own state. */
	public static List<StateRow> ofSession(UUID sessionKey, Map<String, JsonText> changes) {
		return of(StateScope.SESSION, sessionKey, changes);
	}

	/** Returns the rows for changes of shared state, keys without prefix. */
	public static List<StateRow> of(StateOwner owner, Map<String, JsonText> changes) {
		return changes.isEmpty() ? List.of() : of(owner.scope(), ScopeKey.of(owner), changes);
	}

	private static List<StateRow> of(StateScope scope, UUID scopeKey, Map<String, JsonText> changes) {
		return changes.entrySet()
			.stream()
			.map((change) -> new StateRow(scope, scopeKey, change.getKey(), change.getValue()))
			.toList();
	}

	/** Whether the session shares the key with others. */
	public boolean isShared() {
		return this.scope != StateScope.SESSION;
	}

	/** Whether the key is removed; JSON null is a value. */
	public boolean isRemoval() {
		return RemovalMarker.is(this.value);
	}

	/**
	 * Returns about how many bytes it has. It counts characters, which is cheaper than
	 * encoding them.
	 */
	public long bytes() {
		return this.key.length() + this.value.length();
	}

	/** Returns the value as it is stored; {@code null} for a key that is removed. */
	public @Nullable String textOrNull() {
		return isRemoval() ? null : this.value.text();
	}

}
