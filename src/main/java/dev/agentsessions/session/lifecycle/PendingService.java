package dev.agentsessions.session.lifecycle;

import org.springframework.stereotype.Service;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;

/** Lists function calls that wait for the answer of a human. */
@Service
public class PendingService {

	private final PendingCallStore store;

	private final AccessPolicy access;

	PendingService(PendingCallStore store, AccessPolicy access) {
		this.store = store;
		this.access = access;
	}

	/**
	 * Lists the calls of a session, or of all sessions of an app.
	 * @throws SessionException.NotFound if there is no such session
	 */
	public Page<PendingCall> list(PendingQuery query) {
		if (query.session() != null) {
			this.access.check(Access.READ, query.session());
		}
		else {
			this.access.check(Access.ADMINISTER, query.app());
		}
		return this.store.list(query)
			.orElseThrow(SessionException.NotFound::new)
			.map((call) -> call.seen(this.access.secrets()));
	}

}
