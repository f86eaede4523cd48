package dev.agentsessions.session.lifecycle;

import dev.agentsessions.session.Session;

/**
 * The result of a creation.
 *
 * @param session the session
 * @param replayed whether an earlier request has created it; then it is the session as it
 * is now
 */
public record CreatedSession(Session session, boolean replayed) {

}
