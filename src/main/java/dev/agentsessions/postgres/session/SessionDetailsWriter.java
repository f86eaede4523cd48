package dev.agentsessions.postgres.session;

import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;

/** Changes the details of a session, within a transaction of the caller. */
@Component
public class SessionDetailsWriter {

	private final SessionRepository sessions;

	private final PreconditionChecker preconditions;

	SessionDetailsWriter(SessionRepository sessions, PreconditionChecker preconditions) {
		this.sessions = sessions;
		this.preconditions = preconditions;
	}

	/**
	 * Locks the row of the session and changes its details.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	public void updateDetails(UUID sessionKey, SessionDetails change, Precondition precondition) {
		SessionEntity session = this.sessions.findForUpdate(sessionKey).orElseThrow(SessionException.NotFound::new);
		this.preconditions.check(session, precondition);
		session.updateDetails((change.expiry() != null) ? change.at(this.sessions.now()) : change);
	}

}
