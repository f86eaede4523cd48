// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where the sessions of Spring AI Session are.
 *
 * @param appName app of the sessions. The default is spring.application.name.
 */
@ConfigurationProperties("agent-sessions.session-repository")
record SessionRepositoryProperties(@Nullable String appName) {

}
