// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import com.google.adk.sessions.BaseSessionService;
import dev.agentsessions.client.AgentSessionService;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The connection of what needs no ADK: the same as that of ADK's services if ADK is
 * there, and that of the properties otherwise.
 */
@AutoConfiguration(after = AgentSessionsAutoConfiguration.class)
@EnableConfigurationProperties(AgentSessionsProperties.class)
class ConnectionAutoConfiguration {

	/** Returns the address of a container, or that of the properties. */
	static @Nullable String url(AgentSessionsProperties properties,
			ObjectProvider<AgentSessionsConnectionDetails> details) {
		AgentSessionsConnectionDetails found = details.getIfAvailable();
		return (found != null) ? found.url() : properties.url();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(BaseSessionService.class)
	static class WithAdk {

		@Bean
		ServiceConnection agentSessionsConnection(AgentSessionService.Builder settings) {
			return new ServiceConnection(settings.url(), settings.token(), settings.timeout(),
					settings.unavailableTimeout(), settings.httpClient());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("com.google.adk.sessions.BaseSessionService")
	static class WithoutAdk {

		@Bean
		ServiceConnection agentSessionsConnection(AgentSessionsProperties properties,
				ObjectProvider<AgentSessionsConnectionDetails> details) {
			Map<String, String> environment = System.getenv();
			String url = Objects.requireNonNullElseGet(url(properties, details),
					() -> environment.getOrDefault("AGENT_SESSIONS_URL", "http://localhost:8080"));
			@Nullable String key = (properties.apiKey() != null) ? properties.apiKey()
					: environment.get("AGENT_SESSIONS_API_KEY");
			HttpClient http = HttpClient.newBuilder()
				.version(HttpClient.Version.HTTP_1_1)
				.connectTimeout(Duration.ofSeconds(10))
				.build();
			return new ServiceConnection(url, (user) -> key, properties.timeout(), properties.unavailableTimeout(),
					http);
		}

	}

}
