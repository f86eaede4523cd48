package dev.agentsessions.session.lifecycle;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.state.StateScope;

/**
 * A session as it was right after one of its events, or as it is.
 *
 * <p>
 * The state has the session's own keys as they were. Of the keys that it shares with
 * other sessions, it has the keys that its own events had set by then: changes by other
 * sessions belong to no history.
 *
 * @param session its events, its state, its version and its last update time at that
 * moment; its details are the current ones
 * @param sources the event that set a key, by key; none for the initial state
 */
public record PastSession(Session session, Map<String, StateSource> sources) {

	/** Returns the keys that are the session's own. */
	public Map<String, JsonText> ownState() {
		return ownState(this.session);
	}

	/** Returns the keys of a session's merged state that are its own. */
	public static Map<String, JsonText> ownState(Session session) {
		Map<String, JsonText> own = new LinkedHashMap<>(session.state());
		own.keySet().removeIf((key) -> StateScope.of(key) != StateScope.SESSION);
		return own;
	}

	PastSession seen(Secrets secrets) {
		return new PastSession(secrets.of(this.session), this.sources);
	}

	/**
	 * Returns the current session. An event stays the source of a value only if the value
	 * is the same.
	 * @param now the current session
	 */
	PastSession today(Session now) {
		Map<String, StateSource> remaining = new LinkedHashMap<>(this.sources);
		remaining.keySet().removeIf((key) -> !Objects.equals(this.session.state().get(key), now.state().get(key)));
		return new PastSession(now, remaining);
	}

	/**
	 * The event that set a key of the state.
	 *
	 * @param seq its seq
	 * @param eventId its id
	 * @param author its author
	 * @param time the time that the sender gave it, in microseconds
	 */
	public record StateSource(long seq, String eventId, String author, Instant time) {

	}

}
