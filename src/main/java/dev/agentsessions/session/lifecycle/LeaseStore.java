package dev.agentsessions.session.lifecycle;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * Grants leases. The guarantees of {@link dev.agentsessions.session.lifecycle.SessionStore}
 * hold here, too.
 *
 * <p>
 * Every store of sessions checks leases. A request under a {@link Lease} (see
 * {@link Precondition}) is refused with {@link LeaseException.Lost} once the lease is
 * gone. An append under no lease is refused with {@link LeaseException.Busy} while a
 * holder has an exclusive one. Replays succeed in both cases. A lease is deleted with its
 * session.
 */
public interface LeaseStore {

	/**
	 * Grants the lease of a session, or renews the one that the precondition names.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws LeaseException if another holder has it, or the one to renew is gone
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	Lease acquire(SessionKey key, LeaseRequest request, Precondition precondition);

	/**
	 * Releases a lease if it is the newest of the session.
	 * @param number the number of the lease
	 * @throws SessionException.NotFound if there is no such session
	 */
	void release(SessionKey key, long number);

}
