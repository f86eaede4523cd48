// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import com.google.adk.sessions.SessionException;

/** What the service answered instead of a success, or that it could not be reached. */
public class AgentSessionsException extends SessionException {

	private final int status;

	private final String code;

	AgentSessionsException(int status, String code, String detail) {
		super(status + " " + code + ": " + detail);
		this.status = status;
		this.code = code;
	}

	/** There is no answer. */
	AgentSessionsException(String code, String message, Throwable cause) {
		super(message, cause);
		this.status = 0;
		this.code = code;
	}

	/**
	 * The HTTP status.
	 * @return from 300 on, or 0 if there is no answer
	 */
	public int status() {
		return this.status;
	}

	/**
	 * The stable code, as {@code ALREADY_EXISTS}.
	 * @return the code; {@code UNAVAILABLE} if the service cannot be reached, and {@code UNKNOWN} if something before it
	 * answered
	 */
	public String code() {
		return this.code;
	}

}
