// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

import com.google.adk.artifacts.BaseArtifactService;
import com.google.adk.artifacts.InMemoryArtifactService;
import com.google.adk.memory.BaseMemoryService;
import com.google.adk.memory.InMemoryMemoryService;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.InMemorySessionService;
import dev.agentsessions.client.AgentSessionArtifactService;
import dev.agentsessions.client.AgentSessionMemoryService;
import dev.agentsessions.client.AgentSessionService;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests which beans an application gets, without a service. */
class AgentSessionsAutoConfigurationTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AgentSessionsAutoConfiguration.class));

	@Test
	void anApplicationGetsTheThreeServicesOfAdk() {
		this.application.run((context) -> {
			assertThat(context).getBean(BaseSessionService.class).isInstanceOf(AgentSessionService.class);
			assertThat(context).getBean(BaseMemoryService.class).isInstanceOf(AgentSessionMemoryService.class);
			assertThat(context).getBean(BaseArtifactService.class).isInstanceOf(AgentSessionArtifactService.class);
		});
	}

	@Test
	void withoutPropertiesTheDefaultsOfTheClientHold() {
		this.application.run((context) -> {
			AgentSessionService.Builder defaults = AgentSessionService.builder();
			AgentSessionService.Builder settings = context.getBean(AgentSessionService.Builder.class);
			assertThat(settings.url()).isEqualTo(defaults.url());
			assertThat(settings.timeout()).isEqualTo(defaults.timeout());
			assertThat(settings.unavailableTimeout()).isEqualTo(defaults.unavailableTimeout());
			assertThat(settings.checkStale()).isEqualTo(defaults.checkStale());
			assertThat(settings.contextView()).isEqualTo(defaults.contextView());
		});
	}

	@Test
	void propertiesSayHowToReachTheService() {
		this.application
			.withPropertyValues("agent-sessions.url=https://sessions.example.com", "agent-sessions.api-key=secret",
					"agent-sessions.timeout=3s", "agent-sessions.unavailable-timeout=4s",
					"agent-sessions.check-stale=false", "agent-sessions.context-view=true")
			.run((context) -> {
				AgentSessionService.Builder settings = context.getBean(AgentSessionService.Builder.class);
				assertThat(settings.url()).isEqualTo("https://sessions.example.com");
				assertThat(settings.token().apply("alice")).isEqualTo("secret");
				assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(3));
				assertThat(settings.unavailableTimeout()).isEqualTo(Duration.ofSeconds(4));
				assertThat(settings.checkStale()).isFalse();
				assertThat(settings.contextView()).isTrue();
			});
	}

	@Test
	void anUnusableAddressEndsTheStart() {
		this.application.withPropertyValues("agent-sessions.url=sessions.example.com")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void beansOfTheApplicationTakePrecedence() {
		this.application.withBean(BaseSessionService.class, InMemorySessionService::new)
			.withBean(BaseMemoryService.class, InMemoryMemoryService::new)
			.withBean(BaseArtifactService.class, InMemoryArtifactService::new)
			.run((context) -> {
				assertThat(context).getBean(BaseSessionService.class).isInstanceOf(InMemorySessionService.class);
				assertThat(context).getBean(BaseMemoryService.class).isInstanceOf(InMemoryMemoryService.class);
				assertThat(context).getBean(BaseArtifactService.class).isInstanceOf(InMemoryArtifactService.class);
			});
	}

	@Test
	void aCustomizerSendsTheTokenOfEachUser() {
		this.application.withPropertyValues("agent-sessions.api-key=secret")
			.withBean(AgentSessionsCustomizer.class, () -> (settings) -> settings.token((user) -> "token of " + user))
			.run((context) -> assertThat(context.getBean(AgentSessionService.Builder.class).token().apply("alice"))
				.isEqualTo("token of alice"));
	}

	@Test
	void withoutAdkThereAreNoBeans() {
		this.application.withClassLoader(new FilteredClassLoader("com.google.adk")).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).doesNotHaveBean(AgentSessionsAutoConfiguration.class);
		});
	}

	@Test
	void editorsKnowTheProperties() throws IOException {
		try (InputStream file = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			assertThat(new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8))
				.contains("agent-sessions.url", "agent-sessions.api-key", "agent-sessions.timeout",
						"agent-sessions.unavailable-timeout", "agent-sessions.check-stale",
						"agent-sessions.context-view", "address of the service");
		}
	}

}
