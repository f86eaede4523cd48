package dev.agentsessions.session.lifecycle;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;

/**
 * A fork with the state that is copied.
 *
 * @param source the session to copy
 * @param origin the source as it was right after the last event to copy; {@code null} for
 * its state when it is copied
 * @param precondition the precondition for the source when it is copied
 * @param target the new session
 * @param details the details in which the new session differs from its source
 * @param creation identifies repetitions of the request; {@code null} if there may be
 * none
 */
public record ForkPlan(SessionKey source, @Nullable Session origin, Precondition precondition, SessionKey target,
		SessionDetails details, @Nullable CreationId creation) {

}
