// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import com.google.adk.artifacts.BaseArtifactService;
import com.google.adk.sessions.BaseSessionService;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests which observations an application with a registry gets, without a service. */
class ObservationTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AgentSessionsAutoConfiguration.class, ConnectionAutoConfiguration.class,
				ObservationAutoConfiguration.class));

	private final List<String> observed = new CopyOnWriteArrayList<>();

	@Test
	void requestsAreObservedWithoutNamesAndIds() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(404, -1);
			exchange.close();
		});
		server.start();
		try {
			observing().withPropertyValues("agent-sessions.url=http://127.0.0.1:" + server.getAddress().getPort())
				.run((context) -> {
					BaseSessionService sessions = context.getBean(BaseSessionService.class);
					assertThatException()
						.isThrownBy(() -> sessions.getSession("tours", "a:b/c", "s:1", Optional.empty()).blockingGet());
					BaseArtifactService artifacts = context.getBean(BaseArtifactService.class);
					assertThatException().isThrownBy(
							() -> artifacts.loadArtifact("tours", "alice", "s-1", "plan.md", null).blockingGet());
				});
		}
		finally {
			server.stop(0);
		}
		assertThat(this.observed).contains("GET /sessions/{id} 404")
			.anyMatch((name) -> name.startsWith("GET /sessions/{id}/artifacts/{id}/versions/{id}"))
			.noneMatch((name) -> name.matches(".*(tours|alice|plan|s-1|s%3A1|a%3Ab).*"));
	}

	@Test
	void anApplicationWithoutObservationsUsesTheHttpClientAsItIs() {
		this.application.run((context) -> assertThat(context).doesNotHaveBean(AgentSessionsCustomizer.class));
	}

	/** Notes the operation, the status and the error of each observation. */
	private ApplicationContextRunner observing() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				String names = context.getLowCardinalityKeyValues()
					.stream()
					.map(KeyValue::getValue)
					.collect(Collectors.joining(" "));
				Throwable error = context.getError();
				ObservationTests.this.observed
					.add((error != null) ? names + " " + error.getClass().getSimpleName() : names);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return context.getName().equals("agent.sessions.requests");
			}

		});
		return this.application.withBean(ObservationRegistry.class, () -> registry);
	}

}
