// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.adk.JsonBaseModel;

/**
 * The state of a session at one moment.
 *
 * @param seq right after this event, 0 for the beginning
 * @param lastUpdateTime when that event was stored
 * @param sharedStateCurrent whether {@code user:} and {@code app:} keys have their values of today, whoever set them;
 * if not, they are those that this session had set by then
 * @param keys the keys, shared ones under their prefix
 */
public record ExplainedState(long seq, Instant lastUpdateTime, boolean sharedStateCurrent, Map<String, Value> keys) {

	static ExplainedState of(JsonNode json) {
		Map<String, Value> keys = new LinkedHashMap<>();
		json.get("state").properties().forEach((entry) -> keys.put(entry.getKey(), Value.of(entry.getValue())));
		return new ExplainedState(json.get("seq").asLong(), WireFormat.instant(json.get("lastUpdateTime")),
				json.get("sharedStateCurrent").asBoolean(), keys);
	}

	/**
	 * A key of the state.
	 *
	 * @param scope whose it is: {@code session}, {@code user} or {@code app}
	 * @param value its value, which may be null here
	 * @param event what set it; empty if it was there when the session was created, or somebody else has set it
	 */
	public record Value(String scope, Object value, Optional<Source> event) {

		private static Value of(JsonNode json) {
			Object value = JsonBaseModel.getMapper().convertValue(json.get("value"), Object.class);
			JsonNode event = json.get("event");
			return new Value(json.get("scope").asText(), value,
					event.isNull() ? Optional.empty() : Optional.of(Source.of(event)));
		}

	}

	/**
	 * The event that gave a key its value.
	 *
	 * @param seq its place in the history
	 * @param eventId its id
	 * @param author who sent it
	 * @param timestamp the time that its sender gave it
	 */
	public record Source(long seq, String eventId, String author, Instant timestamp) {

		private static Source of(JsonNode event) {
			return new Source(event.get("seq").asLong(), event.get("eventId").asText(), event.get("author").asText(),
					WireFormat.instant(event.get("timestamp")));
		}

	}

}
