package dev.agentsessions;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.servers.MoveBuckets;
import dev.agentsessions.security.ApiKeyCommand;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Starts the service. Boot's error page is excluded because its errors have another
 * format than the errors of the API; {@code ProblemReportValve} answers requests that the
 * servlet container refuses.
 */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
@ConfigurationPropertiesScan
public class AgentSessionsApplication {

	public static void main(String[] args) {
		if (List.of(args).contains(ApiKeyCommand.OPTION)) {
			System.out.print(ApiKeyCommand.describe());
			return;
		}
		if (MoveBuckets.isIn(args)) {
			System.exit(MoveBuckets.run(args));
		}
		SpringApplication.run(AgentSessionsApplication.class, args);
	}

	/**
	 * Logs the addresses of the console and the Swagger UI as the last line of a start.
	 */
	@Component
	static class ReadyMessage {

		private static final Logger logger = LoggerFactory.getLogger(ReadyMessage.class);

		@EventListener
		void log(ApplicationReadyEvent event) {
			if (event.getApplicationContext() instanceof ServletWebServerApplicationContext context
					&& context.getWebServer() != null) {
				int port = context.getWebServer().getPort();
				String console = context.getBean(ConsoleAccess.class).isOn()
						? "Console: http://localhost:%d%s, ".formatted(port, ConsoleAccess.PATH) : "";
				logger.info("{}Swagger UI: http://localhost:{}/swagger-ui.html", console, port);
			}
		}

	}

}
