package dev.agentsessions.session.lifecycle;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;

/**
 * Stores sessions. This is the contract of every store.
 *
 * <p>
 * <b>All or nothing.</b> A write that is refused or fails changes nothing. A write that
 * succeeds is durable when the method returns, and visible to every read that begins
 * afterwards.
 *
 * <p>
 * <b>Order.</b> The events of a session are ordered by {@code seq}, which begins at 1 and
 * has no gap. Writers of one session are serialised; last update times are strictly
 * increasing, whatever the timestamps of events say.
 *
 * <p>
 * <b>State.</b> The session's keys are deleted with the session. Keys of the scopes app
 * and user belong to their {@link StateOwner} and stay when a session is deleted. Writers
 * of different keys do not overwrite each other's keys. The removal marker in place of a
 * value removes a key; null is a value.
 *
 * <p>
 * <b>One moment.</b> The result of one call belongs to one moment: no read shows half of
 * a write.
 *
 * <p>
 * <b>Limit.</b> A write that makes the state of a session, a user or an app too large
 * throws {@link SessionException.TooLarge}. Retries of stored events are replays, however
 * large the state is.
 *
 * <p>
 * Every method throws {@link SessionException.Unavailable} when the database cannot be
 * reached. A write may have happened then; appending the same event again is safe.
 */
public interface SessionStore {

	/**
	 * Creates a session with its first events.
	 * @return the session with its merged state and events
	 * @throws SessionException.AlreadyExists if there is one with this key, also when two
	 * creations race
	 */
	Session create(CreateSession request);

	/**
	 * Creates a session whose id no session of any user of the app has; also when several
	 * of such creations race.
	 * @return the session with its merged state and events
	 * @throws SessionException.AlreadyExists if there is one with this id
	 */
	Session createLocatable(CreateSession request);

	/**
	 * Returns the keys of the sessions of an app that have this id, at most two: more
	 * than one user may have chosen it.
	 */
	List<SessionKey> locate(String appName, String sessionId);

	/** Lists sessions, without events. An unknown app or user has none. */
	Page<Session> list(SessionQuery query);

	/**
	 * Lists sessions that have an event that meets a condition, without events, each with
	 * the newest such event. The work of a page is bounded, so a page may end early, even
	 * without any session; then it names the position after which the next one begins.
	 * @param query which of them, by user or by last update time
	 */
	FoundSessions find(SessionQuery query, EventCondition condition);

	/**
	 * Changes the details of a session. Revision and last update time stay.
	 * @return the birth of the session
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	UUID updateDetails(SessionKey key, SessionDetails change, Precondition precondition);

	/**
	 * Deletes a session with its events and its state, if it exists. No reader finds the
	 * session or a part of it any more, long before the last of many events is deleted.
	 * If the deletion fails, a repetition deletes the rest, or the store itself does so
	 * later.
	 * @return whether it existed
	 * @throws SessionException.Stale if it exists and the precondition does not hold
	 */
	boolean delete(SessionKey key, Precondition precondition);

	/**
	 * Erases all sessions of a user, expired ones too, the state that they share, and its
	 * facts. No reader ever sees a part of a session, but some sessions may be gone
	 * before others. If the erasure fails, a repetition erases the rest.
	 * @param user the user of an app
	 */
	Erasure erase(StateOwner user);

	/** Reads shared state, keys without prefix; empty for an unknown owner. */
	Map<String, JsonText> state(StateOwner owner);

	/**
	 * Changes shared state.
	 * @param changes the new values, or the removal marker; keys without prefix
	 * @return the state right after the change
	 */
	Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes);

	/** Returns the names of all apps that have a session, in order. */
	List<String> appNames();

	/**
	 * Lists the users of an app that have a session. The order is not that of their
	 * names, but the same on every call: a user that has a session all the time is on
	 * exactly one page, whatever happens to other users between two calls. The cost of a
	 * page depends on what it returns, however many sessions a user has; a page may end
	 * early for that. An unknown app has no users.
	 */
	Page<UserSummary> users(UserQuery query);

}
