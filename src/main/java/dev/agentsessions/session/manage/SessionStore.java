package dev.agentsessions.session.manage;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.BatchAppendResult;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.SelectedEvents;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.lease.Lease;
import dev.agentsessions.session.lease.LeaseException;
import dev.agentsessions.session.lease.LeaseRequest;
import dev.agentsessions.session.pending.PendingCall;
import dev.agentsessions.session.pending.PendingQuery;

/**
 * Where sessions are kept. This is the contract of every store.
 *
 * <p>
 * <b>All or nothing.</b> A write that is refused or fails changes nothing. One that
 * succeeds is durable when the method returns, and visible to every read that begins
 * afterwards.
 *
 * <p>
 * <b>Order.</b> The events of a session are ordered by {@code seq}, which begins at 1 and
 * has no gap. Writers of one session are serialised; last update times are strictly
 * increasing, whatever the timestamps of events say.
 *
 * <p>
 * <b>State.</b> The session's keys go with the session; keys of the scopes app and user
 * belong to their {@link StateOwner} and stay when a session is deleted. Writers of
 * different keys lose nothing of each other. The mark of a removal in place of a value
 * removes a key; null is a value.
 *
 * <p>
 * <b>One moment.</b> What one call reads belongs together: no read shows half of a write.
 *
 * <p>
 * <b>Leases.</b> What comes under a {@link Lease} (see {@link Precondition}) is refused
 * with {@link LeaseException.Lost} once that is gone, and an append under none with
 * {@link LeaseException.Busy} while somebody has an exclusive one. Replays are answered
 * all the same. A lease goes with its session.
 *
 * <p>
 * <b>Limit.</b> A write that makes the state of a session, a user or an app too large
 * throws {@link SessionException.TooLarge}. Retries of what is stored are replays,
 * however full the state is.
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
	 * Creates a session whose id no session of the app has, whosever it is; also when
	 * several of such creations race.
	 * @return the session with its merged state and events
	 * @throws SessionException.AlreadyExists if there is one with this id
	 */
	Session createLocatable(CreateSession request);

	/** Reads a session; empty if there is none. */
	Optional<Session> find(SessionKey key, EventWindow window);

	/**
	 * The sessions of an app that have this id, at most two: more than one user may have
	 * chosen it.
	 */
	List<SessionKey> locate(String appName, String sessionId);

	/** Lists sessions, without events. An unknown app or user has none. */
	Page<Session> list(SessionQuery query);

	/**
	 * Changes what people call a session. Revision and last update time stay.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	void updateDetails(SessionKey key, SessionDetails change, Precondition precondition);

	/**
	 * Deletes a session with its events and its state, if it is there. Nobody finds it
	 * any more, or a part of it, long before the last of many events is gone. If it
	 * fails, a repetition deletes the rest, or the store itself does some time.
	 * @throws SessionException.Stale if it is there and the precondition does not hold
	 */
	void delete(SessionKey key, Precondition precondition);

	/**
	 * Erases all sessions of a user, expired ones too, and the state that they share. No
	 * session is ever there in part, but some may be gone before others. If it fails, a
	 * repetition erases the rest.
	 * @param user the user of an app
	 */
	Erasure erase(StateOwner user);

	/**
	 * Appends an event and applies its delta. An event whose id is in the session already
	 * is a replay if its content is the same, and a conflict if not, whatever the
	 * precondition says.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.EventIdConflict if an event with other content has its id
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	AppendResult append(SessionKey key, AppendRequest append);

	/**
	 * Appends events, all or none, in their order. Those that are in the session already
	 * are replays, as with {@link #append}; the precondition has to hold if one of them
	 * is not.
	 * @param events at least one, none of them partial, no two with the same id
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.EventIdConflict if an event with other content has one of
	 * the ids
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	BatchAppendResult appendAll(SessionKey key, List<NewEvent> events, Precondition precondition);

	/**
	 * Grants the lease of a session, or renews the one that the precondition names.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws LeaseException if somebody else has it, or the one to renew is gone
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	Lease acquire(SessionKey key, LeaseRequest request, Precondition precondition);

	/**
	 * Gives a lease back, if it is the newest of the session.
	 * @param number the number of the lease
	 * @throws SessionException.NotFound if there is no such session
	 */
	void release(SessionKey key, long number);

	/** Lists events; empty if there is no such session. */
	Optional<EventPage> events(SessionKey key, EventQuery query);

	/**
	 * Lists events by their own time and then seq; empty if there is no such session.
	 */
	Optional<EventPage> timeline(SessionKey key, TimelineQuery query);

	/**
	 * Lists function calls that wait for somebody's answer; empty if there is no such
	 * session. Of an app whose sessions an older version of the service has written,
	 * those may be missing that nobody has read since, for a while.
	 */
	Optional<Page<PendingCall>> pending(PendingQuery query);

	/**
	 * Reads some events by their ids; empty if there is no such session.
	 * @param ids no two the same
	 */
	Optional<SelectedEvents> events(SessionKey key, List<String> ids);

	/** Reads one event; empty if there is none, or no such session. */
	Optional<Event> event(SessionKey key, String eventId);

	/** Reads shared state, keys without prefix. Nobody's state is an empty map. */
	Map<String, JsonText> state(StateOwner owner);

	/**
	 * Changes shared state.
	 * @param changes the new values, or the mark of a removal; keys without prefix
	 * @return the state right after the change
	 */
	Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes);

	/** The names of all apps that have a session, in order. */
	List<String> appNames();

	/**
	 * Lists the users of an app who have a session, in an order that is not that of their
	 * names but the same on every call: whoever has a session all the while is on one
	 * page, once, whatever happens to others between two calls. A page costs what it
	 * answers, however many sessions a user has, and may end early for that. An unknown
	 * app has no users.
	 */
	Page<UserSummary> users(UserQuery query);

}
