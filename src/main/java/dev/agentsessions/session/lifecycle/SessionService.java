package dev.agentsessions.session.lifecycle;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AuditLog;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionListener;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.event.Limits;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.lifecycle.Creations.CreatedSession;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.state.StateDelta;

/** Creates, reads, lists, changes and deletes sessions and shared state. */
@Service
public class SessionService {

	private final Store store;

	private final SessionReads reads;

	private final Creations creations;

	private final AccessPolicy access;

	private final Limits limits;

	private final SessionListener listener;

	private final AuditLog audit;

	public SessionService(Store store, SessionReads reads, Creations creations, AccessPolicy access, Limits limits,
			SessionListener listener, AuditLog audit) {
		this.store = store;
		this.reads = reads;
		this.creations = creations;
		this.access = access;
		this.limits = limits;
		this.listener = listener;
		this.audit = audit;
	}

	/**
	 * Creates a session. A repeated request returns the session that the first one has
	 * created.
	 * @throws SessionException.AlreadyExists if its id is taken
	 * @throws SessionException.TooLarge if a limit is exceeded
	 */
	public CreatedSession create(CreateSession request) {
		check(request);
		return this.creations.once(request.name(), request.creation(), EventWindow.ALL,
				() -> this.store.create(request));
	}

	/**
	 * Creates a session whose id no session of another user of the app has, so that a
	 * caller can locate it by its id.
	 * @throws SessionException.AlreadyExists if any user has a session with the id
	 * @throws SessionException.TooLarge if a limit is exceeded
	 */
	public Session createLocatable(CreateSession request) {
		check(request);
		return this.store.createLocatable(request);
	}

	private void check(CreateSession request) {
		this.access.check(Access.WRITE, request.name().user());
		this.access.check(request.name(), request.delta());
		this.limits.check(request.details());
		this.limits.check(request.events(), request.delta());
	}

	/**
	 * Reads a session.
	 * @throws SessionException.NotFound if there is none
	 */
	public Session get(SessionName name, EventWindow window) {
		this.access.check(Access.READ, name);
		return this.access.secrets().of(this.reads.find(name, window).orElseThrow(SessionException.NotFound::new));
	}

	/**
	 * Reads a session that the caller has just changed.
	 * @param sessionKey the key of the session
	 * @throws SessionException.NotFound if it is deleted, even if another session has its
	 * key now
	 */
	public Session get(SessionName name, UUID sessionKey, EventWindow window) {
		this.access.check(Access.READ, name);
		return this.access.secrets()
			.of(this.reads.find(name, sessionKey, window).orElseThrow(SessionException.NotFound::new));
	}

	/**
	 * Finds the name of a session by its id. A caller that is a user finds only its own
	 * sessions.
	 * @param access the access that the caller needs
	 * @throws AccessException.Forbidden if the caller may not access any session like
	 * this, whether or not this one exists
	 * @throws SessionException.NotFound if no user of the app has one, or it belongs to
	 * another user
	 * @throws SessionException.Ambiguous if several users have one
	 */
	public SessionName locate(Access access, String appName, String sessionId) {
		this.access.checkRole(access, appName);
		List<SessionName> found = this.access.onlyUser()
			.map((user) -> locate(new SessionName(appName, user, sessionId)))
			.orElseGet(() -> this.store.locate(appName, sessionId));
		if (found.size() > 1) {
			throw new SessionException.Ambiguous(sessionId);
		}
		return found.stream().findFirst().orElseThrow(SessionException.NotFound::new);
	}

	private List<SessionName> locate(SessionName name) {
		return this.reads.find(name, EventWindow.NONE).map(Session::name).stream().toList();
	}

	/**
	 * Lists sessions, without events. Only administrators may list the sessions of all
	 * users. A caller that knows an id may list the sessions with this id as with
	 * {@link #locate}: a user finds only its own.
	 */
	public Page<Session> list(SessionQuery query) {
		return this.store.list(permitted(query).atMost(this.limits.pageSize())).map(this.access.secrets()::of);
	}

	/**
	 * Lists sessions that have an event that meets a condition. The same callers may do
	 * this as may {@link #list} them.
	 */
	public FoundSessions find(SessionQuery query, EventCondition condition) {
		return this.store.find(permitted(query).atMost(this.limits.pageSize()), condition).seen(this.access.secrets());
	}

	private SessionQuery permitted(SessionQuery query) {
		if (query.owner().userId() == null && query.filter().sessionId() != null) {
			this.access.checkRole(Access.READ, query.owner().appName());
			return this.access.onlyUser().map(query::ofUser).orElse(query);
		}
		this.access.checkSessions(Access.READ, query.owner());
		return query;
	}

	/**
	 * Returns the maximum length of a template that is filled with the state, in
	 * characters.
	 */
	public int templateSize() {
		return this.limits.templateSize();
	}

	/**
	 * Deletes a session if it exists. State of the user and of the app stays.
	 * @return whether it existed
	 * @throws SessionException.Stale if it exists and the precondition does not hold
	 */
	public boolean delete(SessionName name, Precondition precondition) {
		this.access.check(Access.WRITE, name);
		boolean deleted = this.audit.delete("session.delete",
				Map.of("app", name.appName(), "user", name.userId(), "session", name.sessionId()),
				() -> this.store.delete(name, precondition), (existed) -> Map.of("sessions", existed ? 1 : 0));
		this.listener.changed(name);
		return deleted;
	}

	/**
	 * Erases all data of a user in an app. State that all users of the app share stays.
	 */
	public Erasure eraseUser(String appName, String userId) {
		StateOwner user = new StateOwner(appName, userId);
		this.access.check(Access.ADMINISTER, user);
		return this.audit.delete("user.erase", Map.of("app", appName, "user", userId), () -> this.store.erase(user),
				(erased) -> Map.of("sessions", erased.sessions(), "events", erased.events(), "userStateKeys",
						erased.userStateKeys()));
	}

	/**
	 * Changes the details of a session.
	 * @return the key of the session
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.TooLarge if a limit is exceeded
	 */
	public UUID updateDetails(SessionName name, SessionDetails change, Precondition precondition) {
		this.access.check(Access.WRITE, name);
		this.limits.check(change);
		return this.store.updateDetails(name, change, precondition);
	}

	/** Returns the shared state of an app or a user, keys without prefix. */
	public Map<String, JsonText> state(StateOwner owner) {
		this.access.check(Access.READ, owner);
		return this.access.secrets().of(this.store.state(owner));
	}

	/**
	 * Changes the shared state of an app or a user.
	 * @param changes the new values, or the removal marker; keys without prefix
	 * @return the state right after the change
	 * @throws SessionException.InvalidArgument if a key has a prefix
	 * @throws SessionException.TooLarge if a limit is exceeded
	 */
	public Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		this.access.check(Access.WRITE, owner);
		changes.keySet().forEach(StateDeltas::checkNoPrefix);
		this.limits.check(new StateDelta(changes));
		return this.store.changeState(owner, changes);
	}

	/** Returns the names of all apps that have a session and that the caller may know. */
	public List<String> appNames() {
		return this.store.appNames().stream().filter(this.access::mayAccessApp).toList();
	}

	/**
	 * Lists the users of an app that have a session, for callers that may see all of
	 * them.
	 */
	public Page<UserSummary> users(UserQuery query) {
		this.access.check(Access.ADMINISTER, query.app());
		return this.store.users(query.atMost(this.limits.pageSize()));
	}

	/**
	 * Stores sessions. This is the contract of every store.
	 *
	 * <p>
	 * <b>All or nothing.</b> A write that is refused or fails changes nothing. A write
	 * that succeeds is durable when the method returns, and visible to every read that
	 * begins afterwards.
	 *
	 * <p>
	 * <b>Order.</b> The events of a session are ordered by {@code seq}, which begins at 1
	 * and has no gap. Writers of one session are serialised; last update times are
	 * strictly increasing, whatever the timestamps of events say.
	 *
	 * <p>
	 * <b>State.</b> The session's keys are deleted with the session. Keys of the scopes
	 * app and user belong to their {@link StateOwner} and stay when a session is deleted.
	 * Writers of different keys do not overwrite each other's keys. The removal marker in
	 * place of a value removes a key; null is a value.
	 *
	 * <p>
	 * <b>One moment.</b> The result of one call belongs to one moment: no read shows half
	 * of a write.
	 *
	 * <p>
	 * <b>Limit.</b> A write that makes the state of a session, a user or an app too large
	 * throws {@link SessionException.TooLarge}. Retries of stored events are replays,
	 * however large the state is.
	 *
	 * <p>
	 * Every method throws {@link SessionException.Unavailable} when the database cannot
	 * be reached. A write may have happened then; appending the same event again is safe.
	 */
	public interface Store {

		/**
		 * Creates a session with its first events.
		 * @return the session with its merged state and events
		 * @throws SessionException.AlreadyExists if there is one with this name, also
		 * when two creations race
		 */
		Session create(CreateSession request);

		/**
		 * Creates a session whose id no session of any user of the app has; also when
		 * several of such creations race.
		 * @return the session with its merged state and events
		 * @throws SessionException.AlreadyExists if there is one with this id
		 */
		Session createLocatable(CreateSession request);

		/**
		 * Returns the names of the sessions of an app that have this id, at most two:
		 * more than one user may have chosen it.
		 */
		List<SessionName> locate(String appName, String sessionId);

		/** Lists sessions, without events. An unknown app or user has none. */
		Page<Session> list(SessionQuery query);

		/**
		 * Lists sessions that have an event that meets a condition, without events, each
		 * with the newest such event. The work of a page is bounded, so a page may end
		 * early, even without any session; then it names the position after which the
		 * next one begins.
		 * @param query which of them, by user or by last update time
		 */
		FoundSessions find(SessionQuery query, EventCondition condition);

		/**
		 * Changes the details of a session. Revision and last update time stay.
		 * @return the key of the session
		 * @throws SessionException.NotFound if there is no such session
		 * @throws SessionException.Stale if the precondition does not hold
		 */
		UUID updateDetails(SessionName name, SessionDetails change, Precondition precondition);

		/**
		 * Deletes a session with its events and its state, if it exists. No reader finds
		 * the session or a part of it any more, long before the last of many events is
		 * deleted. If the deletion fails, a repetition deletes the rest, or the store
		 * itself does so later.
		 * @return whether it existed
		 * @throws SessionException.Stale if it exists and the precondition does not hold
		 */
		boolean delete(SessionName name, Precondition precondition);

		/**
		 * Erases all sessions of a user, expired ones too, the state that they share, and
		 * its facts. No reader ever sees a part of a session, but some sessions may be
		 * gone before others. If the erasure fails, a repetition erases the rest.
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
		 * exactly one page, whatever happens to other users between two calls. The cost
		 * of a page depends on what it returns, however many sessions a user has; a page
		 * may end early for that. An unknown app has no users.
		 */
		Page<UserSummary> users(UserQuery query);

	}

	/**
	 * The numbers of rows that an erasure of a user has removed.
	 *
	 * @param sessions the number of sessions, with their own state
	 * @param events the number of events of these sessions
	 * @param userStateKeys the number of keys of the state that they shared
	 */
	public record Erasure(long sessions, long events, long userStateKeys) {

		/** Nothing was removed. */
		public static final Erasure NOTHING = new Erasure(0, 0, 0);

		/** Returns the sum of this erasure and another one. */
		public Erasure and(Erasure other) {
			return new Erasure(this.sessions + other.sessions, this.events + other.events,
					this.userStateKeys + other.userStateKeys);
		}

	}

}
