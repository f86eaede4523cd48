package dev.agentsessions.session.history;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;

/**
 * A session that begins as a copy.
 *
 * @param source the session that is copied
 * @param origin it as it was right after the last event that is copied; {@code null} for
 * what it is when it is copied
 * @param precondition what has to hold for it then
 * @param target the new session
 * @param details what people call it, and its end, where that is not as with the source
 */
public record ForkPlan(SessionKey source, @Nullable Session origin, Precondition precondition, SessionKey target,
		SessionDetails details) {

}
