// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import org.springframework.ai.session.SessionRepository;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import tools.jackson.databind.json.JsonMapper;

/** Makes Spring AI Session's repository if the application has none of its own. */
@AutoConfiguration(after = ConnectionAutoConfiguration.class,
		afterName = "org.springaicommunity.session.jdbc.autoconfigure.JdbcSessionRepositoryAutoConfiguration",
		beforeName = "org.springaicommunity.session.autoconfigure.SessionServiceAutoConfiguration")
@ConditionalOnClass({ SessionRepository.class, JsonMapper.class })
@EnableConfigurationProperties(SessionRepositoryProperties.class)
class SessionRepositoryAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(SessionRepository.class)
	AgentSessionRepository agentSessionRepository(ServiceConnection connection, SessionRepositoryProperties properties,
			ObjectProvider<AgentSessionsUser> users, Environment environment) {
		String app = StringUtils.hasText(properties.appName()) ? properties.appName()
				: environment.getProperty("spring.application.name", "");
		return new AgentSessionRepository(new ConversationSessions(connection), app, users.getIfAvailable());
	}

}
