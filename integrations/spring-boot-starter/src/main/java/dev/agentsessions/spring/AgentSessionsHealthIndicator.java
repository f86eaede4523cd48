// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.io.IOException;
import java.time.Duration;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Asks the service whether it serves requests, once and with a short time-out. Probes
 * need no credentials.
 */
class AgentSessionsHealthIndicator extends AbstractHealthIndicator {

	private static final Duration LONGEST = Duration.ofSeconds(2);

	private final ServiceConnection connection;

	AgentSessionsHealthIndicator(ServiceConnection connection) {
		super("Agent Sessions cannot be reached");
		this.connection = connection;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) throws IOException {
		builder.withDetail("url", this.connection.url());
		int status = statusOf("/actuator/health/readiness");
		if (status >= 400 && status < 500) {
			// The probes of the service have a port of their own, or a proxy hides them
			status = statusOf("/health");
		}
		builder.withDetail("status", status).status((status == 200) ? "UP" : "DOWN");
	}

	private int statusOf(String path) throws IOException {
		Duration timeout = this.connection.timeout();
		return this.connection
			.send(this.connection.request(path).timeout((timeout.compareTo(LONGEST) < 0) ? timeout : LONGEST).build())
			.statusCode();
	}

}
