package dev.agentsessions.adk.event;

import java.math.BigDecimal;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.BatchAppendResult;

/**
 * The answer to an append of many events.
 *
 * @param events the events as stored, and partial ones as sent
 * @param seqs the seq of each of them, {@code null} for a partial one
 * @param revision the revision of the session right after the last of them
 * @param lastUpdateTime the last update time right after the last of them, in decimal
 * seconds
 */
record BatchAppendResponse(List<JsonText> events, List<@Nullable Long> seqs, long revision, BigDecimal lastUpdateTime) {

	static BatchAppendResponse from(BatchAppendResult appended) {
		return new BatchAppendResponse(appended.events(), appended.seqs(), appended.version().revision(),
				Timestamps.toSeconds(appended.lastUpdateTime()));
	}

}
