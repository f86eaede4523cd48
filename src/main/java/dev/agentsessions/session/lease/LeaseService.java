package dev.agentsessions.session.lease;

import org.springframework.stereotype.Service;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * One turn at a time: who takes the lease of a session before a turn is told at once that
 * somebody else is at it.
 */
@Service
public class LeaseService {

	private final LeaseStore store;

	private final AccessPolicy access;

	LeaseService(LeaseStore store, AccessPolicy access) {
		this.store = store;
		this.access = access;
	}

	/**
	 * Grants or renews the lease of a session to somebody who may append to it.
	 * @param precondition what the session has to be like; its lease is the one to renew
	 * @throws SessionException.NotFound if there is no such session
	 * @throws LeaseException.Busy if somebody else has the lease
	 * @throws LeaseException.Lost if the lease to renew is gone
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	public Lease acquire(SessionKey key, LeaseRequest request, Precondition precondition) {
		this.access.check(Access.WRITE, key);
		return this.store.acquire(key, request, precondition);
	}

	/**
	 * Gives the lease of a session back. One that is gone already is left alone.
	 * @param number the number of the lease
	 * @throws SessionException.NotFound if there is no such session
	 */
	public void release(SessionKey key, long number) {
		this.access.check(Access.WRITE, key);
		this.store.release(key, number);
	}

}
