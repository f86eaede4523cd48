package dev.agentsessions.session;

import java.util.List;
import java.util.Map;

import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/** What may be done with sessions. Every dialect calls this, and nothing else does. */
@Service
public class SessionService {

	private final SessionStore store;

	private final SessionProperties properties;

	private final AccessPolicy access;

	private final Limits limits;

	SessionService(SessionStore store, SessionProperties properties, AccessPolicy access, Limits limits) {
		this.store = store;
		this.properties = properties;
		this.access = access;
		this.limits = limits;
	}

	/**
	 * Creates a session.
	 * @throws SessionException.AlreadyExists if its id is taken
	 * @throws SessionException.PayloadTooLarge if a limit is exceeded
	 */
	public Session create(CreateSession request) {
		check(request);
		return this.store.create(request);
	}

	/**
	 * Creates a session whose id no other user of the app has, so that it can be located.
	 * @throws SessionException.AlreadyExists if its id is taken, whoever has it
	 * @throws SessionException.PayloadTooLarge if a limit is exceeded
	 */
	public Session createLocatable(CreateSession request) {
		check(request);
		return this.store.createLocatable(request);
	}

	private void check(CreateSession request) {
		this.access.check(Access.WRITE, request.key().user());
		checkAppState(request.key(), request.delta());
		this.limits.check(request);
	}

	/**
	 * Reads a session.
	 * @throws SessionException.NotFound if there is none
	 */
	public Session get(SessionKey key, EventWindow window) {
		this.access.check(Access.READ, key);
		return this.store.find(key, window).orElseThrow(SessionException.NotFound::new);
	}

	/**
	 * Finds a session by its id. For a caller who is a user, only their own are there.
	 * @param access what is to be done with it
	 * @throws AccessException.Forbidden if the caller may do that with no session,
	 * whether or not this one is there
	 * @throws SessionException.NotFound if no user of the app has one, or it is somebody
	 * else's
	 * @throws SessionException.Ambiguous if more than one has
	 */
	public SessionKey locate(Access access, String appName, String sessionId) {
		this.access.checkRole(access, appName);
		List<SessionKey> found = this.access.onlyUser()
			.map((user) -> locate(new SessionKey(appName, user, sessionId)))
			.orElseGet(() -> this.store.locate(appName, sessionId));
		if (found.size() > 1) {
			throw new SessionException.Ambiguous(sessionId);
		}
		return found.stream().findFirst().orElseThrow(SessionException.NotFound::new);
	}

	private List<SessionKey> locate(SessionKey key) {
		return this.store.find(key, EventWindow.NONE).map(Session::key).stream().toList();
	}

	/** Lists sessions, without events. */
	public Page<Session> list(SessionQuery query) {
		boolean allUsers = query.userId() == null;
		this.access.check(allUsers ? Access.ADMINISTER : Access.READ, new StateOwner(query.appName(), query.userId()));
		return this.store.list(query.atMost(this.limits.pageSize()));
	}

	/** How many characters a template may have that is filled with the state. */
	public int templateSize() {
		return this.limits.templateSize();
	}

	/**
	 * Deletes a session, if it is there. State of the user and of the app stays.
	 * @throws SessionException.Stale if it is there and the precondition does not hold
	 */
	public void delete(SessionKey key, Precondition precondition) {
		this.access.check(Access.WRITE, key);
		this.store.delete(key, precondition);
	}

	/**
	 * Erases all that is kept of a user in an app. What all users of the app share stays.
	 */
	public Erasure eraseUser(String appName, String userId) {
		StateOwner user = new StateOwner(appName, userId);
		this.access.check(Access.ADMINISTER, user);
		return this.store.erase(user);
	}

	/**
	 * Appends an event. A partial event is answered, but not stored.
	 * @throws SessionException.NotFound if there is no such session; none is created
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.EventIdConflict if another event has its id
	 * @throws SessionException.PreconditionRequired if there is none, and one has to be
	 * @throws SessionException.PayloadTooLarge if a limit is exceeded
	 */
	public AppendResult append(SessionKey key, AppendRequest append) {
		this.access.check(Access.WRITE, key);
		checkAppState(key, append.event().delta());
		if (append.event().partial()) {
			return AppendResult.notStored(append.event(), get(key, EventWindow.NONE));
		}
		check(append.precondition());
		this.limits.check(append.details());
		this.limits.check(List.of(append.event()));
		return this.store.append(key, append);
	}

	/**
	 * Appends events, all or none. Partial ones are answered, but not stored.
	 * @param events at least one
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.EventIdConflict if another event has one of the ids
	 * @throws SessionException.PreconditionRequired if there is none, and one has to be
	 * @throws SessionException.PayloadTooLarge if a limit is exceeded
	 */
	public BatchAppendResult appendAll(SessionKey key, List<NewEvent> events, Precondition precondition) {
		this.access.check(Access.WRITE, key);
		events.forEach((event) -> checkAppState(key, event.delta()));
		List<NewEvent> whole = events.stream().filter((event) -> !event.partial()).toList();
		if (whole.isEmpty()) {
			return BatchAppendResult.notStored(events, get(key, EventWindow.NONE));
		}
		NewEvent.checkIdsDiffer(whole);
		check(precondition);
		this.limits.check(whole);
		return this.store.appendAll(key, whole, precondition).withPartial(events);
	}

	/**
	 * Changes what people call a session.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.PayloadTooLarge if a limit is exceeded
	 */
	public void updateDetails(SessionKey key, SessionDetails change, Precondition precondition) {
		this.access.check(Access.WRITE, key);
		this.limits.check(change);
		this.store.updateDetails(key, change, precondition);
	}

	/**
	 * Lists events.
	 * @throws SessionException.NotFound if there is no such session
	 */
	public EventPage events(SessionKey key, EventQuery query) {
		this.access.check(Access.READ, key);
		return this.store.events(key, query.atMost(this.limits.pageSize())).orElseThrow(SessionException.NotFound::new);
	}

	/**
	 * Lists events by the time their senders gave them.
	 * @throws SessionException.NotFound if there is no such session
	 */
	public EventPage timeline(SessionKey key, TimelineQuery query) {
		this.access.check(Access.READ, key);
		return this.store.timeline(key, query.atMost(this.limits.pageSize()))
			.orElseThrow(SessionException.NotFound::new);
	}

	/**
	 * Reads one event.
	 * @throws SessionException.EventNotFound if there is none, or no such session
	 */
	public Event event(SessionKey key, String eventId) {
		this.access.check(Access.READ, key);
		return this.store.event(key, eventId).orElseThrow(SessionException.EventNotFound::new);
	}

	/** The shared state of an app or a user, keys without prefix. */
	public Map<String, JsonText> state(StateOwner owner) {
		this.access.check(Access.READ, owner);
		return this.store.state(owner);
	}

	/**
	 * Changes the shared state of an app or a user.
	 * @param changes the new values, or the mark of a removal; keys without prefix
	 * @return the state right after the change
	 * @throws SessionException.InvalidArgument if a key has a prefix
	 * @throws SessionException.PayloadTooLarge if a limit is exceeded
	 */
	public Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		this.access.check(Access.WRITE, owner);
		changes.keySet().forEach(SessionService::checkNoPrefix);
		this.limits.check(new StateDelta(changes));
		return this.store.changeState(owner, changes);
	}

	/** The names of all apps that have a session and that the caller may know. */
	public List<String> appNames() {
		return this.store.appNames().stream().filter(this.access::knows).toList();
	}

	/** What a delta changes for all users of the app is not the session's alone. */
	private void checkAppState(SessionKey key, StateDelta delta) {
		if (!delta.in(StateScope.APP).isEmpty()) {
			this.access.check(Access.WRITE, key.app());
		}
	}

	private void check(Precondition precondition) {
		if (this.properties.requirePrecondition() && precondition.isNone()) {
			throw new SessionException.PreconditionRequired();
		}
	}

	private static void checkNoPrefix(String key) {
		if (StateScope.of(key) != StateScope.SESSION) {
			throw new SessionException.InvalidArgument(key, "must be written without prefix here");
		}
	}

}
