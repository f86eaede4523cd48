// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * A bean with the address of the service, in place of the property
 * {@code agent-sessions.url}.
 */
@FunctionalInterface
public interface AgentSessionsConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the address of the service.
	 * @return the address
	 */
	String url();

}
