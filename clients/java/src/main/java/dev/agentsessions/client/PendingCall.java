// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.time.Instant;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.adk.JsonBaseModel;
import com.google.genai.types.FunctionCall;

/**
 * A function call of a session that waits for somebody's answer: for an event of the author {@code user} that has a
 * function response with the id of the call.
 *
 * @param eventId the event that it is in
 * @param seq the place of that event in the history
 * @param since when that event was stored
 * @param functionCall the call with its id, its name, which may be blank, and its arguments; without them if they have
 * more than 4,096 characters, then they stand in the event
 */
public record PendingCall(String eventId, long seq, Instant since, FunctionCall functionCall) {

	static PendingCall of(JsonNode json) {
		return new PendingCall(json.get("eventId").asText(), json.get("seq").asLong(),
				WireFormat.instant(json.get("since")),
				JsonBaseModel.getMapper().convertValue(json.get("functionCall"), FunctionCall.class));
	}

}
