package dev.agentsessions.session.event;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;

/**
 * What an append does.
 *
 * @param event the event
 * @param precondition what the caller takes for the newest state of the session
 * @param details what people call the session from then on
 */
public record AppendRequest(NewEvent event, Precondition precondition, SessionDetails details) {

	public AppendRequest(NewEvent event, Precondition precondition) {
		this(event, precondition, SessionDetails.NONE);
	}

}
