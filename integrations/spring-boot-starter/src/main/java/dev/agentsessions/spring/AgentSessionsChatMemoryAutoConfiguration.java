// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import tools.jackson.databind.json.JsonMapper;

/** Makes Spring AI's repository of chat memory if the application has none of its own. */
@AutoConfiguration(after = ConnectionAutoConfiguration.class,
		beforeName = "org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration")
@ConditionalOnClass({ ChatMemoryRepository.class, JsonMapper.class })
@EnableConfigurationProperties(ChatMemoryProperties.class)
class AgentSessionsChatMemoryAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(ChatMemoryRepository.class)
	AgentSessionChatMemoryRepository agentSessionChatMemoryRepository(ServiceConnection connection,
			ChatMemoryProperties properties, ObjectProvider<AgentSessionsUser> users, Environment environment) {
		String app = StringUtils.hasText(properties.appName()) ? properties.appName()
				: environment.getProperty("spring.application.name", "");
		AgentSessionsUser user = users.getIfAvailable(() -> () -> fixedUser(properties));
		return new AgentSessionChatMemoryRepository(new ConversationSessions(connection), app, user);
	}

	/** Fails without a user: otherwise all people would share the conversations of one. */
	private static String fixedUser(ChatMemoryProperties properties) {
		if (!StringUtils.hasText(properties.userId())) {
			throw new IllegalStateException("Who is the user of the conversation? Define a bean AgentSessionsUser, "
					+ "or set agent-sessions.chat-memory.user-id if all conversations have one user");
		}
		return properties.userId();
	}

}
