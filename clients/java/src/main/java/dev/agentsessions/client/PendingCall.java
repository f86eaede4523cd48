// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.time.Instant;
import java.util.ArrayList;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.genai.types.FunctionCall;

/**
 * A function call of a session that waits for a function response: an event of the author
 * {@code user} with a function response that has the id of the call.
 *
 * @param eventId the id of the event with the call
 * @param seq the seq of that event
 * @param since when the service stored that event
 * @param functionCall the call with its id, its name, which may be blank, and its
 * arguments. Arguments of more than 4,096 characters are left out here; the event has
 * them
 */
public record PendingCall(String eventId, long seq, Instant since, FunctionCall functionCall) {

	static PendingCall of(JsonNode json) {
		return new PendingCall(json.get("eventId").asText(), json.get("seq").asLong(),
				WireFormat.instant(json.get("since")),
				EventReader.read((ObjectNode) json.get("functionCall"), FunctionCall.class, new ArrayList<>()));
	}

}
