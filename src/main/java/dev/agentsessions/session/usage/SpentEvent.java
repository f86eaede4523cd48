package dev.agentsessions.session.usage;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What an event says about its cost.
 *
 * @param userId the user of its session
 * @param session the key of its session
 * @param seq its seq
 * @param copied whether a fork has copied it
 * @param invocationId its invocation; blank for none
 * @param time when it was stored
 * @param model the model; {@code null} if the sender names none
 * @param usage what the model has counted; {@code null} if the event has no counts
 */
public record SpentEvent(String userId, UUID session, long seq, boolean copied, String invocationId, Instant time,
		@Nullable String model, @Nullable UsageMetadata usage) {

}
