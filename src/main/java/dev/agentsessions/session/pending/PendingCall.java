package dev.agentsessions.session.pending;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventMarks;

/**
 * A function call that waits for somebody's answer.
 *
 * @param session the session it belongs to
 * @param birth which session of that name
 * @param eventId the event that it is in
 * @param seq the place of this event
 * @param since when the event was stored, by the server's clock
 * @param callId its id, which the answer has, too
 * @param name the name of the function; blank if it has none
 * @param args its arguments, {@code null} if they are longer than
 * {@link EventMarks.OpenCall#LONGEST}; then they stand in the event
 */
public record PendingCall(SessionKey session, UUID birth, String eventId, long seq, Instant since, String callId,
		String name, @Nullable JsonText args) {

}
