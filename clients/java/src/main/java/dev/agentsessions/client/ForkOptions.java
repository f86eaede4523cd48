// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.JsonBaseModel;

/**
 * What of a session is copied, and what the copy is called. Not more than one of the first two may be given; without
 * either, all events are copied.
 *
 * @param atSeq up to this event, 0 for none; or null
 * @param beforeInvocationId up to the event before the first one of this invocation; or null
 * @param newSessionId the id of the copy; null for a new one
 * @param displayName its name, for people; null for that of the session
 */
public record ForkOptions(Long atSeq, String beforeInvocationId, String newSessionId, String displayName) {

	/** A copy with all events. */
	public static final ForkOptions ALL = new ForkOptions(null, null, null, null);

	/**
	 * A copy up to an event.
	 * @param seq the last event that is copied, 0 for none
	 * @return such options
	 */
	public static ForkOptions at(long seq) {
		return new ForkOptions(seq, null, null, null);
	}

	/**
	 * A copy of what was before an invocation.
	 * @param invocationId the invocation whose first event is not copied
	 * @return such options
	 */
	public static ForkOptions before(String invocationId) {
		return new ForkOptions(null, invocationId, null, null);
	}

	/**
	 * The same with an id for the copy.
	 * @param sessionId the id
	 * @return other options
	 */
	public ForkOptions newSessionId(String sessionId) {
		return new ForkOptions(this.atSeq, this.beforeInvocationId, sessionId, this.displayName);
	}

	/**
	 * The same with a name for the copy.
	 * @param name the name, for people
	 * @return other options
	 */
	public ForkOptions displayName(String name) {
		return new ForkOptions(this.atSeq, this.beforeInvocationId, this.newSessionId, name);
	}

	String toJson(String sessionId) {
		ObjectNode json = JsonBaseModel.getMapper().createObjectNode().put("sessionId", sessionId);
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
