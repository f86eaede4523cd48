// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.JsonBaseModel;

/**
 * Options of a fork: which events are copied, and the id and name of the copy. Set at
 * most one of the first two; without either, all events are copied.
 *
 * @param atSeq copies up to this event, 0 for none; or null
 * @param beforeInvocationId copies up to the event before the first event of this
 * invocation; or null
 * @param newSessionId the id of the copy; null for a generated id
 * @param displayName the display name of the copy; null for the name of the session
 */
public record ForkOptions(Long atSeq, String beforeInvocationId, String newSessionId, String displayName) {

	/** Copies all events. */
	public static final ForkOptions ALL = new ForkOptions(null, null, null, null);

	/**
	 * Returns options for a copy up to an event.
	 * @param seq the last event that is copied, 0 for none
	 * @return the options
	 */
	public static ForkOptions at(long seq) {
		return new ForkOptions(seq, null, null, null);
	}

	/**
	 * Returns options for a copy of the events before an invocation.
	 * @param invocationId the invocation whose first event is not copied
	 * @return the options
	 */
	public static ForkOptions before(String invocationId) {
		return new ForkOptions(null, invocationId, null, null);
	}

	/**
	 * Returns these options with an id for the copy.
	 * @param sessionId the id
	 * @return new options
	 */
	public ForkOptions newSessionId(String sessionId) {
		return new ForkOptions(this.atSeq, this.beforeInvocationId, sessionId, this.displayName);
	}

	/**
	 * Returns these options with a display name for the copy.
	 * @param name the display name
	 * @return new options
	 */
	public ForkOptions displayName(String name) {
		return new ForkOptions(this.atSeq, this.beforeInvocationId, this.newSessionId, name);
	}

	String toJson() {
		ObjectNode json = JsonBaseModel.getMapper().createObjectNode().put("sessionId", this.newSessionId);
		if (this.atSeq != null) {
			json.put("atSeq", this.atSeq);
		}
		if (this.beforeInvocationId != null) {
			json.put("beforeInvocationId", this.beforeInvocationId);
		}
		if (this.displayName != null) {
			json.put("displayName", this.displayName);
		}
		return json.toString();
	}

}
