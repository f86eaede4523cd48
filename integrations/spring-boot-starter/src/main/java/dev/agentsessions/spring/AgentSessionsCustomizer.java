// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import dev.agentsessions.client.AgentSessionService;

/**
 * A bean that changes the settings of all clients after the properties, for example to
 * send the token of each user, or to use another HTTP client.
 */
@FunctionalInterface
public interface AgentSessionsCustomizer {

	/**
	 * Changes the settings.
	 * @param settings the settings so far
	 * @return the settings to use
	 */
	AgentSessionService.Builder customize(AgentSessionService.Builder settings);

}
