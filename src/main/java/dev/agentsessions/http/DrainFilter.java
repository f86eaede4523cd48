package dev.agentsessions.http;

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

import dev.agentsessions.session.SessionException;

/**
 * Ends the service so that nobody loses anything: for a while new requests are answered
 * 503, until load balancers know that it is no longer ready. Spring Boot has said so by
 * then, and afterwards finishes what is under way and closes the port.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
class DrainFilter extends OncePerRequestFilter implements SmartLifecycle {

	private final HttpProperties properties;

	private final ErrorResponder errors;

	private volatile boolean running;

	private volatile boolean used;

	DrainFilter(HttpProperties properties, ErrorResponder errors) {
		this.properties = properties;
		this.errors = errors;
	}

	/** Whoever looks after the service still has to see how it is. */
	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		String path = request.getRequestURI();
		return path.equals("/health") || path.startsWith("/actuator/");
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		this.used = true;
		if (this.running) {
			chain.doFilter(request, response);
		}
		else {
			refuse(request, response);
		}
	}

	private void refuse(HttpServletRequest request, HttpServletResponse response) {
		response.setHeader(HttpHeaders.CONNECTION, "close");
		response.setHeader(HttpHeaders.RETRY_AFTER, "1");
		this.errors.answer(request, response,
				new SessionException.Unavailable("The service is about to end. Please retry."));
	}

	@Override
	public void start() {
		this.running = true;
	}

	/** Comes first of all that is stopped. A service that nobody used ends at once. */
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
