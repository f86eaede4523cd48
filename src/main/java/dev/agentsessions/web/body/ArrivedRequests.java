package dev.agentsessions.web.body;

import java.time.Duration;

import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

import dev.agentsessions.web.HttpProperties;

/**
 * Closes the port at the end of the drain period, and lets Tomcat begin the requests that
 * have arrived. Spring Boot, which comes next, pauses Tomcat, and Tomcat then closes
 * connections whose requests it has not begun.
 */
@Component
class ArrivedRequests implements SmartLifecycle {

	private static final Duration MAX_WAIT = Duration.ofSeconds(1);

	private final ApplicationContext context;

	private final HttpProperties properties;

	private volatile boolean running;

	ArrivedRequests(ApplicationContext context, HttpProperties properties) {
		this.context = context;
		this.properties = properties;
	}

	@Override
	public void start() {
		this.running = true;
	}

	/**
	 * Waits until all connections are closed, for a second at most, and no longer than
	 * the drain period.
	 */
	@Override
	public void stop() {
		this.running = false;
		if (this.context instanceof ServletWebServerApplicationContext service
				&& service.getWebServer() instanceof TomcatWebServer server) {
			ProtocolHandler port = server.getTomcat().getConnector().getProtocolHandler();
			port.closeServerSocketGraceful();
			port.awaitConnectionsClose(Math.min(MAX_WAIT.toMillis(), this.properties.drainPeriod().toMillis()));
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** A pause does not close the port: only a new start could open it again. */
	@Override
	public boolean isPauseable() {
		return false;
	}

	/** After the drain period and the end of watches, before Spring Boot stops Tomcat. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 768;
	}

}
