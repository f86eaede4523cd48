// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import com.google.adk.sessions.SessionException;

/** What the service answered instead of a success. */
public class AgentSessionsException extends SessionException {

	private final int status;

	private final String code;

	AgentSessionsException(int status, String code, String detail) {
		super(status + " " + code + ": " + detail);
		this.status = status;
		this.code = code;
	}

	/**
	 * The HTTP status.
	 * @return from 300 on
	 */
	public int status() {
		return this.status;
	}

	/**
	 * The stable code, as {@code ALREADY_EXISTS}.
	 * @return the code, or {@code UNKNOWN} if something before the service answered
	 */
	public String code() {
		return this.code;
	}

}
