package dev.agentsessions.session.lifecycle;

import org.springframework.stereotype.Service;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * Grants leases, so that a session has one turn at a time: a caller that asks for the
 * lease before a turn learns at once that another holder has it.
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
	 * Grants or renews the lease of a session to a caller that may append to it.
	 * @param precondition the precondition for the session; its lease is the one to renew
	 * @throws SessionException.NotFound if there is no such session
	 * @throws LeaseException.Busy if another holder has the lease
	 * @throws LeaseException.Lost if the lease to renew is gone
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	public Lease acquire(SessionKey key, LeaseRequest request, Precondition precondition) {
		this.access.check(Access.WRITE, key);
		return this.store.acquire(key, request, precondition);
	}

	/**
	 * Releases the lease of a session. A lease that is gone already stays as it is.
	 * @param number the number of the lease
	 * @throws SessionException.NotFound if there is no such session
	 */
	public void release(SessionKey key, long number) {
		this.access.check(Access.WRITE, key);
		this.store.release(key, number);
	}

}
