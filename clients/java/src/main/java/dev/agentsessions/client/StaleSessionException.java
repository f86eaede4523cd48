// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

/** The session has other events by now than the object that was appended to: read it again and append again. */
public class StaleSessionException extends AgentSessionsException {

	StaleSessionException(int status, String detail) {
		super(status, "STALE_SESSION", detail);
	}

}
