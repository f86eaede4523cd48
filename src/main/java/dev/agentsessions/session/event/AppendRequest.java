package dev.agentsessions.session.event;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;

/**
 * An append.
 *
 * @param event the event
 * @param precondition the precondition for the session
 * @param details the session details that the append changes
 */
public record AppendRequest(NewEvent event, Precondition precondition, SessionDetails details) {

	/** Creates an append that changes no session details. */
	public AppendRequest(NewEvent event, Precondition precondition) {
		this(event, precondition, SessionDetails.NONE);
	}

}
