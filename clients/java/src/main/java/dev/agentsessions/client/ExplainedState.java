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
 * @param seq the seq of the event right before that moment, 0 for the start of the
 * session
 * @param lastUpdateTime when the service stored that event
 * @param sharedStateCurrent whether {@code user:} and {@code app:} keys have their
 * current values, regardless of which session set them; if false, they have the values
 * that this session had set up to that moment
 * @param keys the keys; shared keys include their prefix
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
	 * @param scope the scope of the key: {@code session}, {@code user} or {@code app}
	 * @param value its value, which may be null here
	 * @param event the event that set it; empty if the key was set when the session was
	 * created, or outside this session
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
	 * The event that set the value of a key.
	 *
	 * @param seq the seq of the event
	 * @param eventId the id of the event
	 * @param author the author of the event
	 * @param timestamp the time that the author gave the event
	 */
	public record Source(long seq, String eventId, String author, Instant timestamp) {

		private static Source of(JsonNode event) {
			return new Source(event.get("seq").asLong(), event.get("eventId").asText(), event.get("author").asText(),
					WireFormat.instant(event.get("timestamp")));
		}

	}

}
