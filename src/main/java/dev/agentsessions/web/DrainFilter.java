package dev.agentsessions.web;

import java.io.IOException;
import java.time.Duration;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Stops a replica so that no request is refused. For the drain period, the replica
 * continues to serve all requests, until load balancers know that it is not ready. Spring
 * Boot reports this before the drain period. After it, the port is closed
 * ({@link ArrivedRequests}), and Spring Boot completes the requests in progress.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
class DrainFilter extends OncePerRequestFilter implements SmartLifecycle {

	private final HttpProperties properties;

	private volatile boolean running;

	private volatile boolean used;

	DrainFilter(HttpProperties properties) {
		this.properties = properties;
	}

	/**
	 * Closes connections while the replica drains: a connection that stays open could
	 * bring its next request too late. After the drain period, Tomcat closes connections
	 * when their servlets have returned, even if it has not sent the response yet, so
	 * this method sends the response.
	 */
	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (!this.used) {
			this.used = true;
		}
		if (!this.running) {
			response.setHeader(HttpHeaders.CONNECTION, "close");
		}
		chain.doFilter(request, response);
		if (!this.running && !request.isAsyncStarted()) {
			send(response);
		}
	}

	private static void send(HttpServletResponse response) throws IOException {
		try {
			response.getOutputStream().close();
		}
		catch (IllegalStateException ex) {
			response.getWriter().close();
		}
	}

	@Override
	public void start() {
		this.running = true;
	}

	/**
	 * Runs before all other components stop. A replica without any request so far, not
	 * even from a load balancer, stops at once.
	 */
	@Override
	public void stop() {
		this.running = false;
		if (this.used) {
			try {
				Thread.sleep(this.properties.drainPeriod().toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Closes the port at the end of the drain period, and lets Tomcat begin the requests
	 * that have arrived. Spring Boot, which comes next, pauses Tomcat, and Tomcat then
	 * closes connections whose requests it has not begun.
	 */
	@Component
	static class ArrivedRequests implements SmartLifecycle {

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
		 * Waits until all connections are closed, for a second at most, and no longer
		 * than the drain period.
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

		/**
		 * After the drain period and the end of watches, before Spring Boot stops Tomcat.
		 */
		@Override
		public int getPhase() {
			return DEFAULT_PHASE - 768;
		}

	}

}
