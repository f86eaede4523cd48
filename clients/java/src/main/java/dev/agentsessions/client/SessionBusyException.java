// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.time.Duration;
import java.time.Instant;

import com.fasterxml.jackson.databind.JsonNode;

/** Another holder has the lease of the session. */
public class SessionBusyException extends AgentSessionsException {

	private final String holder;

	private final Instant expireTime;

	private final Duration retryAfter;

	SessionBusyException(int status, String detail, JsonNode body, Duration retryAfter) {
		super(status, "SESSION_BUSY", detail + ": " + body.path("holder").asText());
		this.holder = body.path("holder").asText();
		this.expireTime = WireFormat.instant(body.path("expireTime"));
		this.retryAfter = retryAfter;
	}

	/**
	 * Returns the holder of the lease.
	 * @return the name that the holder has given
	 */
	public String holder() {
		return this.holder;
	}

	/**
	 * Returns when the lease ends unless its holder renews it.
	 * @return the time by the clock of the service's database
	 */
	public Instant expireTime() {
		return this.expireTime;
	}

	/**
	 * Returns the time from now until the lease ends unless its holder renews it.
	 * @return whole seconds
	 */
	public Duration retryAfter() {
		return this.retryAfter;
	}

}
