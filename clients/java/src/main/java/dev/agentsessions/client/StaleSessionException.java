// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

/**
 * The stored session has other events than the session object: read it again and append
 * again.
 */
public class StaleSessionException extends AgentSessionsException {

	StaleSessionException(int status, String detail) {
		super(status, "STALE_SESSION", detail);
	}

}
