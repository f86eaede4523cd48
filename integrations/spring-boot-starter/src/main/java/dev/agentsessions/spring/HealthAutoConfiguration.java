// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Makes the health indicator {@code agentSessions} if Boot's health is there. */
@AutoConfiguration(after = ConnectionAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("agent-sessions")
class HealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "agentSessionsHealthIndicator")
	HealthIndicator agentSessionsHealthIndicator(ServiceConnection connection) {
		return new AgentSessionsHealthIndicator(connection);
	}

}
