// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The owner of the conversations of Spring AI.
 *
 * @param appName app of the conversations. The default is spring.application.name.
 * @param userId user of all conversations. Applications with several users define a bean
 * AgentSessionsUser instead.
 */
@ConfigurationProperties("agent-sessions.chat-memory")
record ChatMemoryProperties(@Nullable String appName, @Nullable String userId) {

}
