package dev.agentsessions.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.session.SessionException;

/**
 * Ends the service so that nobody loses anything: it is no longer ready, new requests are
 * answered 503, those under way finish, and only then the port is closed.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
class DrainFilter extends OncePerRequestFilter implements SmartLifecycle {

	private static final long POLL_MILLIS = 20;

	private static final Duration PATIENCE = Duration.ofSeconds(15);

	private final AtomicInteger underWay = new AtomicInteger();

	private final HttpProperties properties;

	private final ErrorResponder errors;

	private final ApplicationContext context;

	private volatile boolean running;

	private volatile boolean used;

	DrainFilter(HttpProperties properties, ErrorResponder errors, ApplicationContext context) {
		this.properties = properties;
		this.errors = errors;
		this.context = context;
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
		this.underWay.incrementAndGet();
		try {
			this.used = true;
			if (this.running) {
				chain.doFilter(request, response);
			}
			else {
				refuse(request, response);
			}
		}
		finally {
			this.underWay.decrementAndGet();
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

	/** Comes first of all that is stopped. */
	@Override
	public void stop() {
		AvailabilityChangeEvent.publish(this.context, ReadinessState.REFUSING_TRAFFIC);
		this.running = false;
		long start = System.nanoTime();
		Duration least = this.used ? this.properties.drainPeriod() : Duration.ZERO;
		Duration passed = Duration.ZERO;
		while (passed.compareTo(least) < 0 || (this.underWay.get() > 0 && passed.compareTo(PATIENCE) < 0)) {
			if (!pause()) {
				return;
			}
			passed = Duration.ofNanos(System.nanoTime() - start);
		}
	}

	/** Whether there is any time left to wait. */
	private static boolean pause() {
		try {
			Thread.sleep(POLL_MILLIS);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
