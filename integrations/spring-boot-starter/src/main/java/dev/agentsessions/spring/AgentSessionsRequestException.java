// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

/** Reports an error response of the service to a request that needs no ADK. */
public class AgentSessionsRequestException extends RuntimeException {

	private final int status;

	private final String code;

	AgentSessionsRequestException(int status, String code, String detail) {
		super(status + " " + code + ": " + detail);
		this.status = status;
		this.code = code;
	}

	/**
	 * Returns the HTTP status.
	 * @return the status
	 */
	public int status() {
		return this.status;
	}

	/**
	 * Returns the stable code, such as {@code FORBIDDEN}.
	 * @return the code; {@code UNKNOWN} if a proxy in front of the service sent the
	 * response
	 */
	public String code() {
		return this.code;
	}

}
