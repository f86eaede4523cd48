package dev.agentsessions.session.lifecycle;

import java.util.Optional;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.InvocationNotFoundException;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.artifact.RestoredArtifacts;

/**
 * Reads and copies sessions as they were: the part of the contract of a store that only
 * the history needs. The guarantees of {@link SessionStore} hold here, too.
 */
public interface HistoryStore {

	/**
	 * Reads a session as it was; empty if there is none.
	 * @param point the moment
	 * @param window which of its events until then
	 * @throws SessionException.InvalidArgument if the session has fewer events
	 * @throws InvocationNotFoundException if the session has no event of the invocation
	 */
	Optional<PastSession> find(SessionKey key, HistoryPoint point, EventWindow window);

	/**
	 * Returns the invocation that begins with an event.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.EventNotFound if it has no event with the id
	 * @throws SessionException.InvalidArgument if it has fewer events, or the event has
	 * no invocation
	 * @throws MidInvocationException if the invocation of the event begins before it
	 */
	String invocation(SessionKey key, InvocationStart start);

	/**
	 * Refuses an append whose precondition the current session does not satisfy.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException if the precondition does not hold
	 */
	void check(SessionKey key, Precondition precondition);

	/**
	 * Refuses a fork that the current session does not allow, before its history is read.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvalidArgument if the session has fewer events
	 * @throws InvocationNotFoundException if the session has no event of the invocation
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.TooLarge if there is too much to copy
	 */
	void check(ForkRequest request);

	/**
	 * Creates a session as a copy of another one: with its initial state, and with its
	 * events up to one, their ids, times and seqs. The source stays as it is. If the
	 * source is removed meanwhile, or its user is erased, either nothing is created or
	 * the copy is removed, too.
	 * @param window which events of the new session to return
	 * @return the new session
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.AlreadyExists if there is one with the new key
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	Session fork(ForkPlan fork, EventWindow window);

	/**
	 * Returns the artifacts of a session that have changed since an event.
	 * @param session the current session
	 * @param seq the event, 0 for the beginning of the session
	 */
	RestoredArtifacts artifactsChangedSince(Session session, long seq);

	/**
	 * Waits until everything that was read before is stored as safely as a write. A
	 * request that finds its work done already has to wait for this.
	 */
	void confirmReads();

}
