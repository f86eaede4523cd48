package dev.agentsessions.session.history;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.state.StateScope;

/**
 * A session as it was right after one of its events, or is.
 *
 * <p>
 * The state has the session's own keys as they were. Of the keys that it shares with
 * others it has those that its own events had set by then: what others did in between
 * belongs to no history.
 *
 * @param session its events, its state, its version and its last update time at that
 * moment; its details are today's
 * @param sources which event set a key; none for the initial state
 */
public record PastSession(Session session, Map<String, StateSource> sources) {

	/** The keys that are the session's own. */
	public Map<String, JsonText> ownState() {
		return ownState(this.session);
	}

	/** The keys of a session's merged state that are its own. */
	public static Map<String, JsonText> ownState(Session session) {
		Map<String, JsonText> own = new LinkedHashMap<>(session.state());
		own.keySet().removeIf((key) -> StateScope.of(key) != StateScope.SESSION);
		return own;
	}

	/**
	 * The same session today: an event is the source of what it has set only where nobody
	 * has set it to something else since.
	 * @param now the session as it is
	 */
	PastSession today(Session now) {
		Map<String, StateSource> remaining = new LinkedHashMap<>(this.sources);
		remaining.keySet().removeIf((key) -> !Objects.equals(this.session.state().get(key), now.state().get(key)));
		return new PastSession(now, remaining);
	}

}
