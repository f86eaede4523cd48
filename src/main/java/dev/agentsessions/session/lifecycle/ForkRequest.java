package dev.agentsessions.session.lifecycle;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;

/**
 * A request to fork a session.
 *
 * @param source the session to copy
 * @param point the point up to which its history is copied
 * @param target the new session, of the same user
 * @param details the details in which the new session differs from its source
 * @param precondition the precondition for the source
 * @param creation identifies repetitions of the request; {@code null} if there may be
 * none
 */
public record ForkRequest(SessionName source, HistoryPoint point, SessionName target, SessionDetails details,
		Precondition precondition, @Nullable CreationId creation) {

	/** Creates a request that may not be repeated. */
	public ForkRequest(SessionName source, HistoryPoint point, SessionName target, SessionDetails details,
			Precondition precondition) {
		this(source, point, target, details, precondition, null);
	}

}
