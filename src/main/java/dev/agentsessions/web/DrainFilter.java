package dev.agentsessions.web;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Ends a replica so that no request is refused: for a while it goes on serving all of
 * them, until load balancers know that it is no longer ready. Spring Boot has said so by
 * then, and afterwards closes the port and finishes what is under way.
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
	 * A connection that is kept open would bring the next request when it may be too
	 * late.
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
	}

	@Override
	public void start() {
		this.running = true;
	}

	/**
	 * Comes first of all that is stopped. A replica that nothing has called, not even a
	 * load balancer, ends at once.
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

}
