// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

/**
 * A bean that says for which user the application works now, for example from Spring
 * Security's context.
 */
@FunctionalInterface
public interface AgentSessionsUser {

	/**
	 * Returns the user.
	 * @return the id of the user, with any characters
	 */
	String current();

}
