package dev.agentsessions.session.report;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionKey;

/**
 * An event that reports an error.
 *
 * @param session the key of its session
 * @param seq its seq
 * @param time when it was stored
 * @param body its body; {@code null} if it is larger than what is read for a failure
 */
public record FailedEvent(SessionKey session, long seq, Instant time, @Nullable JsonText body) {

	FailedEvent seen(Secrets secrets) {
		return (this.body == null) ? this : new FailedEvent(this.session, this.seq, this.time, secrets.of(this.body));
	}

}
