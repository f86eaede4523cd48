package dev.agentsessions.session.history;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;

/**
 * How to fork a session.
 *
 * @param source the session
 * @param point up to where its history is copied
 * @param target the new session, of the same user
 * @param details what people shall call it, and its end, where that is not as with the
 * source
 * @param precondition what the caller takes for the newest state of the source
 */
public record ForkRequest(SessionKey source, HistoryPoint point, SessionKey target, SessionDetails details,
		Precondition precondition) {

}
