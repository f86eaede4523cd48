// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.google.adk.artifacts.BaseArtifactService;
import com.google.adk.artifacts.InMemoryArtifactService;
import com.google.adk.memory.BaseMemoryService;
import com.google.adk.memory.InMemoryMemoryService;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.InMemorySessionService;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agentsessions.client.AgentSessionArtifactService;
import dev.agentsessions.client.AgentSessionMemoryService;
import dev.agentsessions.client.AgentSessionService;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springaicommunity.session.autoconfigure.SessionServiceAutoConfiguration;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration;
import org.springframework.ai.session.InMemorySessionRepository;
import org.springframework.ai.session.SessionRepository;
import org.springframework.ai.session.SessionService;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.testcontainers.containers.GenericContainer;

/** Tests which beans an application gets, without a service. */
class AgentSessionsAutoConfigurationTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AgentSessionsAutoConfiguration.class,
				ConnectionAutoConfiguration.class, HealthAutoConfiguration.class,
				AgentSessionsChatMemoryAutoConfiguration.class, ChatMemoryAutoConfiguration.class,
				SessionRepositoryAutoConfiguration.class, SessionServiceAutoConfiguration.class));

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
	void aContainerTakesPrecedenceOverTheAddress() {
		ApplicationContextRunner testing = this.application
			.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
			.withUserConfiguration(Containers.class)
			.withPropertyValues("agent-sessions.url=https://sessions.example.com");
		ContextConsumer<AssertableApplicationContext> check = (
				context) -> assertThat(context.getBean(ServiceConnection.class).url())
					.isEqualTo("http://docker.example.com:18080");
		testing.run(check);
		testing.withClassLoader(new FilteredClassLoader("com.google.adk")).run(check);
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
	void withoutAdkTheHealthIndicatorUsesTheProperties() {
		this.application.withClassLoader(new FilteredClassLoader("com.google.adk"))
			.withPropertyValues("agent-sessions.url=https://sessions.example.com/", "agent-sessions.api-key=secret",
					"agent-sessions.timeout=3s", "agent-sessions.unavailable-timeout=4s")
			.run((context) -> {
				ServiceConnection connection = context.getBean(ServiceConnection.class);
				assertThat(connection.url()).isEqualTo("https://sessions.example.com");
				assertThat(connection.token().apply("alice")).isEqualTo("secret");
				assertThat(connection.timeout()).isEqualTo(Duration.ofSeconds(3));
				assertThat(connection.patience()).isEqualTo(Duration.ofSeconds(4));
				assertThat(context).hasSingleBean(HealthIndicator.class);
			});
	}

	@Test
	void theHealthIndicatorCanBeSwitchedOffAndNeedsBootsHealth() {
		this.application.withPropertyValues("management.health.agent-sessions.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
		this.application.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("agentSessionsHealthIndicator"));
	}

	@ParameterizedTest
	@CsvSource({ "200, 200, UP", "503, 200, DOWN", "404, 200, UP", "404, 502, DOWN" })
	void theHealthIsThatOfTheProbesOrOfTheServiceIfTheyAreHidden(int probe, int service, String health)
			throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		server.createContext("/health", (exchange) -> answer(exchange, service));
		server.createContext("/actuator/health/readiness", (exchange) -> answer(exchange, probe));
		server.start();
		this.application.withPropertyValues("agent-sessions.url=http://127.0.0.1:" + server.getAddress().getPort())
			.run((context) -> assertThat(
					Objects.requireNonNull(context.getBean(HealthIndicator.class).health()).getStatus().getCode())
				.isEqualTo(health));
		server.stop(0);
	}

	@Test
	void aServiceThatCannotBeReachedIsDownAtOnce() throws IOException {
		int port;
		try (ServerSocket socket = new ServerSocket(0)) {
			port = socket.getLocalPort();
		}
		this.application.withPropertyValues("agent-sessions.url=http://127.0.0.1:" + port)
			.run((context) -> assertThat(
					Objects.requireNonNull(context.getBean(HealthIndicator.class).health()).getStatus())
				.isEqualTo(Status.DOWN));
	}

	@Test
	void theChatMemoryOfSpringAiNeedsNoAdk() {
		this.application.withClassLoader(new FilteredClassLoader("com.google.adk"))
			.run((context) -> assertThat(context).hasSingleBean(ChatMemory.class)
				.getBean(ChatMemoryRepository.class)
				.isInstanceOf(AgentSessionChatMemoryRepository.class));
	}

	@Test
	void withoutSpringAiThereIsNoChatMemory() {
		this.application.withClassLoader(new FilteredClassLoader(ChatMemoryRepository.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("agentSessionChatMemoryRepository"));
	}

	@Test
	void aRepositoryOfTheApplicationTakesPrecedence() {
		this.application.withBean(ChatMemoryRepository.class, InMemoryChatMemoryRepository::new)
			.run((context) -> assertThat(context).hasSingleBean(ChatMemoryRepository.class)
				.doesNotHaveBean(AgentSessionChatMemoryRepository.class));
	}

	@Test
	void springAiSessionNeedsNoAdk() {
		this.application.withClassLoader(new FilteredClassLoader("com.google.adk"))
			.run((context) -> assertThat(context).hasSingleBean(SessionService.class)
				.getBean(SessionRepository.class)
				.isInstanceOf(AgentSessionRepository.class));
	}

	@Test
	void withoutSpringAiSessionThereIsNoRepositoryOfSessions() {
		this.application.withClassLoader(new FilteredClassLoader(SessionRepository.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("agentSessionRepository"));
	}

	@Test
	void aRepositoryOfSessionsOfTheApplicationTakesPrecedence() {
		this.application.withBean(SessionRepository.class, () -> InMemorySessionRepository.builder().build())
			.run((context) -> assertThat(context).hasSingleBean(SessionRepository.class)
				.doesNotHaveBean(AgentSessionRepository.class));
	}

	@Test
	void conversationsNeedAUser() {
		this.application.withPropertyValues("spring.application.name=guide")
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(ChatMemoryRepository.class).findConversationIds())
				.withMessageContaining("AgentSessionsUser")
				.withMessageContaining("agent-sessions.chat-memory.user-id"));
	}

	@Test
	void aRequestIsSentForTheUserOfTheResolver() throws IOException {
		List<String> paths = new CopyOnWriteArrayList<>();
		HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		server.createContext("/", (exchange) -> {
			paths.add(exchange.getRequestURI().getRawPath());
			answer(exchange, 403);
		});
		server.start();
		this.application
			.withPropertyValues("agent-sessions.url=http://127.0.0.1:" + server.getAddress().getPort(),
					"agent-sessions.chat-memory.app-name=guide", "agent-sessions.chat-memory.user-id=everybody")
			.withBean(AgentSessionsUser.class, () -> () -> "team/alice")
			.run((context) -> assertThatExceptionOfType(AgentSessionsRequestException.class)
				.isThrownBy(() -> context.getBean(ChatMemoryRepository.class).findConversationIds())
				.returns(403, AgentSessionsRequestException::status)
				.returns("UNKNOWN", AgentSessionsRequestException::code));
		server.stop(0);
		assertThat(paths).containsExactly("/apps/guide/users/team%2Falice/sessions");
	}

	@Test
	void editorsKnowEachPropertyWithADescription() throws IOException {
		try (InputStream file = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			JSONArray properties = new JSONObject(
					new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8))
				.getJSONArray("properties");
			Map<String, String> descriptions = new TreeMap<>();
			for (int index = 0; index < properties.length(); index++) {
				JSONObject property = properties.getJSONObject(index);
				descriptions.put(property.getString("name"), property.optString("description"));
			}
			assertThat(descriptions).containsOnlyKeys("agent-sessions.url", "agent-sessions.api-key",
					"agent-sessions.timeout", "agent-sessions.unavailable-timeout", "agent-sessions.check-stale",
					"agent-sessions.context-view", "agent-sessions.chat-memory.app-name",
					"agent-sessions.chat-memory.user-id", "agent-sessions.session-repository.app-name",
					"management.health.agent-sessions.enabled");
			assertThat(descriptions.values()).allMatch((text) -> text.length() > 20);
		}
	}

	private static void answer(HttpExchange exchange, int status) throws IOException {
		exchange.sendResponseHeaders(status, -1);
		exchange.close();
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Containers {

		@Bean
		@org.springframework.boot.testcontainers.service.connection.ServiceConnection(name = "agent-sessions")
		Started container() {
			return new Started();
		}

	}

	/** A container that runs without Docker. */
	static class Started extends GenericContainer<Started> {

		Started() {
			super("agent-sessions");
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public String getHost() {
			return "docker.example.com";
		}

		@Override
		public Integer getMappedPort(int port) {
			return 10_000 + port;
		}

	}

}
