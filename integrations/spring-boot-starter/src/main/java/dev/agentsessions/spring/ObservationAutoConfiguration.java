// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import dev.agentsessions.client.AgentSessionService;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Observes the requests of an application with a registry of observations. */
@AutoConfiguration(
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass({ AgentSessionService.class, ObservationRegistry.class })
@ConditionalOnBean(ObservationRegistry.class)
public class ObservationAutoConfiguration {

	/** After the customizers of the application, one of which may set the HTTP client. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	AgentSessionsCustomizer agentSessionsObservation(ObservationRegistry registry) {
		return (settings) -> settings.httpClient(new ObservedHttpClient(settings.httpClient(), registry));
	}

}
