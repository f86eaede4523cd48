// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import com.google.adk.sessions.SessionException;

/**
 * Reports an error response of the service, or that the client cannot reach the service.
 */
public class AgentSessionsException extends SessionException {

	private final int status;

	private final String code;

	AgentSessionsException(int status, String code, String detail) {
		super(status + " " + code + ": " + detail);
		this.status = status;
		this.code = code;
	}

	/** Creates an exception without a response. */
	AgentSessionsException(String code, String message, Throwable cause) {
		super(message, cause);
		this.status = 0;
		this.code = code;
	}

	/**
	 * Returns the HTTP status.
	 * @return 300 or greater; 0 if there is no response
	 */
	public int status() {
		return this.status;
	}

	/**
	 * Returns the stable code, such as {@code ALREADY_EXISTS}.
	 * @return the code; {@code UNAVAILABLE} if the client cannot reach the service, and
	 * {@code UNKNOWN} if a proxy in front of the service sent the response
	 */
	public String code() {
		return this.code;
	}

}
