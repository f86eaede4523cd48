package dev.agentsessions.session.report;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Secrets;

/**
 * What an event says about its cost.
 *
 * @param userId the user of its session
 * @param sessionId the id of its session
 * @param session the key of its session
 * @param seq its seq
 * @param copied whether a fork has copied it
 * @param invocationId its invocation; blank for none
 * @param time when it was stored
 * @param model the model; {@code null} if the sender names none
 * @param usage what the model has counted; {@code null} if the event has no counts
 * @param failed whether it reports an error
 * @param author its author
 * @param branch its branch; blank for none, and if there are neither counts nor a body
 * @param body its body; {@code null} if it has no function calls or responses, is large,
 * or the query asks for no times
 */
public record SpentEvent(String userId, String sessionId, UUID session, long seq, boolean copied, String invocationId,
		Instant time, @Nullable String model, @Nullable UsageMetadata usage, boolean failed, String author,
		String branch, @Nullable JsonText body) {

	SpentEvent seen(Secrets secrets) {
		return (secrets == Secrets.WHOLE) ? this
				: new SpentEvent(this.userId, this.sessionId, this.session, this.seq, this.copied, this.invocationId,
						this.time, secrets.ofNullable(this.model), this.usage, this.failed, secrets.of(this.author),
						secrets.of(this.branch), secrets.ofNullable(this.body));
	}

}
