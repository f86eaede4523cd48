package dev.agentsessions.session.history;

import java.util.Optional;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.InvocationNotFoundException;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.lease.LeaseException;
import dev.agentsessions.session.manage.SessionStore;

/**
 * What a store has to offer so that sessions can be read as they were: the part of its
 * contract that only the past needs. The promises of {@link SessionStore} hold here, too.
 */
public interface HistoryStore {

	/**
	 * Reads a session as it was; empty if there is none.
	 * @param point when it was so
	 * @param window which of its events until then
	 * @throws SessionException.InvalidArgument if it does not have so many events
	 * @throws InvocationNotFoundException if no event of it is of the invocation
	 */
	Optional<PastSession> find(SessionKey key, HistoryPoint point, EventWindow window);

	/**
	 * The invocation that begins with an event.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.EventNotFound if it has no event of the id
	 * @throws SessionException.InvalidArgument if it does not have so many events, or the
	 * event is of no invocation
	 * @throws MidInvocationException if the invocation of the event begins before it
	 */
	String invocation(SessionKey key, InvocationStart start);

	/**
	 * Refuses an append that is not meant for a session as it is.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws LeaseException if it has to come under another lease, or under none
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	void check(SessionKey key, Precondition precondition);

	/**
	 * Refuses a fork that would be refused as the session is, before its history is
	 * looked through.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvalidArgument if it does not have so many events
	 * @throws InvocationNotFoundException if no event of it is of the invocation
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.TooLarge if there is too much to copy
	 */
	void check(ForkRequest request);

	/**
	 * Creates a session as a copy of another one: with its initial state, and with its
	 * events up to one, their ids, times and seqs. The source stays as it is. If it is
	 * removed meanwhile, or its user is erased, either nothing is created or that goes,
	 * too.
	 * @param window which events of the new session are to be answered
	 * @return the new session
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.AlreadyExists if there is one with the new key
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.TooLarge if there is too much to copy
	 */
	Session fork(ForkPlan fork, EventWindow window);

}
