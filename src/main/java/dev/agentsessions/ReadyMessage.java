package dev.agentsessions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import dev.agentsessions.web.ConsoleAccess;

/** Logs the addresses of the console and the Swagger UI as the last line of a start. */
@Component
class ReadyMessage {

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
