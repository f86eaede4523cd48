package dev.agentsessions.adk.event;

import java.math.BigDecimal;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.BatchAppendResult;

/**
 * The response to an append of several events.
 *
 * @param events the stored events as stored, and partial events as sent
 * @param seqs the seq of each event, {@code null} for a partial event
 * @param revision the revision of the session right after the last event
 * @param lastUpdateTime the last update time right after the last event, in decimal
 * seconds
 */
record BatchAppendResponse(List<JsonText> events, List<@Nullable Long> seqs, long revision, BigDecimal lastUpdateTime) {

	static BatchAppendResponse from(BatchAppendResult appended) {
		return new BatchAppendResponse(appended.events(), appended.seqs(), appended.version().revision(),
				Timestamps.toSeconds(appended.lastUpdateTime()));
	}

}
