// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

/**
 * The lease of this turn has ended, or another holder has taken it. Nothing was stored.
 */
public class LeaseLostException extends AgentSessionsException {

	LeaseLostException(int status, String detail) {
		super(status, "LEASE_LOST", detail);
	}

}
