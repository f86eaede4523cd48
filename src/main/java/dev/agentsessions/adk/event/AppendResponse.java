package dev.agentsessions.adk.event;

import java.math.BigDecimal;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;

/**
 * The response to an append.
 *
 * @param event the event as stored
 * @param revision the revision of the session right after the event
 * @param lastUpdateTime the last update time right after the event, in decimal seconds
 * @param persisted {@code false} for a partial event, which is not stored; absent
 * otherwise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AppendResponse(JsonText event, long revision, BigDecimal lastUpdateTime, @Nullable Boolean persisted) {

	/** Creates the response from the result of an append. */
	public static AppendResponse from(AppendResult appended) {
		return new AppendResponse(appended.event(), appended.version().revision(),
				Timestamps.toSeconds(appended.lastUpdateTime()), appended.persisted() ? null : false);
	}

	/**
	 * The response to an append of several events.
	 *
	 * @param events the stored events as stored, and partial events as sent
	 * @param seqs the seq of each event, {@code null} for a partial event
	 * @param revision the revision of the session right after the last event
	 * @param lastUpdateTime the last update time right after the last event, in decimal
	 * seconds
	 */
	record BatchAppendResponse(List<JsonText> events, List<@Nullable Long> seqs, long revision,
			BigDecimal lastUpdateTime) {

		static BatchAppendResponse from(BatchAppendResult appended) {
			return new BatchAppendResponse(appended.events(), appended.seqs(), appended.version().revision(),
					Timestamps.toSeconds(appended.lastUpdateTime()));
		}

	}

}
