package dev.agentsessions.session.history;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;

/**
 * A request to fork a session.
 *
 * @param source the session to copy
 * @param point the point up to which its history is copied
 * @param target the new session, of the same user
 * @param details the details of the new session that differ from those of the source
 * @param precondition the precondition for the source
 */
public record ForkRequest(SessionKey source, HistoryPoint point, SessionKey target, SessionDetails details,
		Precondition precondition) {

}
