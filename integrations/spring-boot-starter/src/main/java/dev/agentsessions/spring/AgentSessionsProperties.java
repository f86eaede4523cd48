// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The connection to Agent Sessions.
 *
 * @param url address of the service. The default is the variable AGENT_SESSIONS_URL, or
 * http://localhost:8080 without it.
 * @param apiKey API key of the application. The default is the variable
 * AGENT_SESSIONS_API_KEY.
 * @param timeout time-out of one attempt of a request.
 * @param unavailableTimeout how long a request is sent again while the service cannot be
 * reached. A search of the memory waits for 5 seconds at most, because a model call waits
 * for it.
 * @param checkStale whether an append fails if the session has changed since it was read.
 * @param contextView whether sessions are read without the events that a model does not
 * see.
 */
@ConfigurationProperties("agent-sessions")
public record AgentSessionsProperties(@Nullable String url, @Nullable String apiKey,
		@DefaultValue("30s") Duration timeout, @DefaultValue("30s") Duration unavailableTimeout,
		@DefaultValue("true") boolean checkStale, @DefaultValue("false") boolean contextView) {

}
