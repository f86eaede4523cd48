// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.time.Duration;

import com.google.adk.artifacts.BaseArtifactService;
import com.google.adk.memory.BaseMemoryService;
import com.google.adk.sessions.BaseSessionService;
import dev.agentsessions.client.AgentSessionArtifactService;
import dev.agentsessions.client.AgentSessionMemoryService;
import dev.agentsessions.client.AgentSessionService;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Bean;

/**
 * Makes ADK's session service, memory service and artifact service, each if the
 * application has none of its own.
 */
@AutoConfiguration
@ConditionalOnClass(BaseSessionService.class)
@EnableConfigurationProperties(AgentSessionsProperties.class)
public class AgentSessionsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AgentSessionService.Builder agentSessionsSettings(AgentSessionsProperties properties,
			ObjectProvider<AgentSessionsConnectionDetails> details,
			ObjectProvider<AgentSessionsCustomizer> customizers) {
		AgentSessionService.Builder settings = AgentSessionService.builder()
			.timeout(properties.timeout())
			.unavailableTimeout(properties.unavailableTimeout())
			.checkStale(properties.checkStale())
			.contextView(properties.contextView());
		PropertyMapper map = PropertyMapper.get();
		settings = map.from(() -> ConnectionAutoConfiguration.url(properties, details))
			.to(settings, AgentSessionService.Builder::url);
		settings = map.from(properties::apiKey).to(settings, AgentSessionService.Builder::apiKey);
		for (AgentSessionsCustomizer customizer : customizers.orderedStream().toList()) {
			settings = customizer.customize(settings);
		}
		return settings;
	}

	@Bean
	@ConditionalOnMissingBean(BaseSessionService.class)
	AgentSessionService agentSessionService(AgentSessionService.Builder settings) {
		return settings.build();
	}

	@Bean
	@ConditionalOnMissingBean(BaseMemoryService.class)
	AgentSessionMemoryService agentSessionMemoryService(AgentSessionService.Builder settings) {
		AgentSessionMemoryService.Builder defaults = AgentSessionMemoryService.builder();
		Duration longest = defaults.connection().unavailableTimeout();
		Duration wanted = settings.unavailableTimeout();
		AgentSessionService.Builder connection = settings
			.unavailableTimeout((wanted.compareTo(longest) < 0) ? wanted : longest);
		return new AgentSessionMemoryService.Builder(connection, defaults.limit(), defaults.around()).build();
	}

	@Bean
	@ConditionalOnMissingBean(BaseArtifactService.class)
	AgentSessionArtifactService agentSessionArtifactService(AgentSessionService.Builder settings) {
		return new AgentSessionArtifactService(settings);
	}

}
