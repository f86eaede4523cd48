package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.support.HeldRequest;

class DrainFilterTests {

	private static final String EVENTS = "/apps/a/users/u/sessions/s/events";

	@Test
	void responseIsSentBeforeTomcatClosesItsConnection() throws IOException {
		assertThat(lastResponse("/apps/a/users/u/sessions/s", "{}")).startsWith("HTTP/1.1 200")
			.contains("\"id\":\"s\"");
	}

	@Test
	void errorIsSentBeforeTomcatClosesItsConnection() throws IOException {
		assertThat(lastResponse(EVENTS, "{}")).startsWith("HTTP/1.1 404").contains("SESSION_NOT_FOUND");
	}

	private static String lastResponse(String path, String body) throws IOException {
		ConfigurableApplicationContext service = new SpringApplication(AgentSessionsApplication.class, SlowEnd.class)
			.run("--server.port=0", "--agent-sessions.embedded.keep-data=false", "--agent-sessions.drain-period=0s");
		int port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		try (HeldRequest request = HeldRequest.post(port, path, body)) {
			CompletableFuture<Void> stopped = CompletableFuture.runAsync(service::close);
			HeldRequest.awaitClosed(port);
			String response = request.finish();
			stopped.join();
			return response;
		}
	}

	/**
	 * A thread that gets no processor for a second after the servlet, when Tomcat counts
	 * its request as completed.
	 */
	@TestConfiguration
	static class SlowEnd {

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> slowEnd() {
			return (factory) -> factory.addEngineValves(new ValveBase(true) {

				@Override
				public void invoke(Request request, Response response) throws IOException, ServletException {
					getNext().invoke(request, response);
					try {
						Thread.sleep(1000);
					}
					catch (InterruptedException ex) {
						Thread.currentThread().interrupt();
					}
				}

			});
		}

	}

}
