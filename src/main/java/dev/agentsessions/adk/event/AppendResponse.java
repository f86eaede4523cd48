package dev.agentsessions.adk.event;

import java.math.BigDecimal;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.AppendResult;

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

}
