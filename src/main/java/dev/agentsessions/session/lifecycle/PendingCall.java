package dev.agentsessions.session.lifecycle;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.CallKey;
import dev.agentsessions.session.event.EventMarks;

/**
 * A function call that waits for an answer.
 *
 * @param session the key of its session
 * @param birth the birth of its session
 * @param eventId the id of its event
 * @param seq the seq of this event
 * @param since when the event was stored, by the server's clock
 * @param callId its id, which the answer has, too
 * @param name the name of the function; blank if it has none
 * @param args its arguments, {@code null} if they are longer than
 * {@link EventMarks.OpenCall#MAX_ARGS_CHARS}; then only the event has them
 */
public record PendingCall(SessionKey session, UUID birth, String eventId, long seq, Instant since, String callId,
		String name, @Nullable JsonText args) {

	/** Returns the key of the call, which is short. */
	public String callKey() {
		return CallKey.of(this.callId);
	}

	PendingCall seen(Secrets secrets) {
		return new PendingCall(this.session, this.birth, this.eventId, this.seq, this.since, this.callId,
				secrets.of(this.name), secrets.ofNullable(this.args));
	}

}
