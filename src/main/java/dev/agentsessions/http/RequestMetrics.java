package dev.agentsessions.http;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.Timer.Sample;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.Kind;

/**
 * Times requests as {@code http.server.requests}, by method, route, status and the kind
 * of error. Spring's observations would tell the same, and cost as much as the rest of an
 * append.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class RequestMetrics extends OncePerRequestFilter {

	private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.values());

	private static final String UNKNOWN = "UNKNOWN";

	private final MeterRegistry registry;

	/** There from the start, so that the first refusal is seen as an increase. */
	private final Map<Kind, Counter> refusals = new EnumMap<>(Kind.class);

	RequestMetrics(MeterRegistry registry) {
		this.registry = registry;
		for (Kind kind : Kind.values()) {
			this.refusals.put(kind,
					Counter.builder("agentsessions.refusals")
						.description("Requests that were refused, by kind")
						.tag("kind", kind.name())
						.register(registry));
		}
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		Sample sample = Timer.start(this.registry);
		try {
			chain.doFilter(request, response);
		}
		finally {
			if (request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) instanceof SessionException refusal) {
				Objects.requireNonNull(this.refusals.get(refusal.kind())).increment();
			}
			sample.stop(this.registry.timer("http.server.requests", "method", method(request), "uri", route(request),
					"status", Integer.toString(response.getStatus()), "error", error(request)));
		}
	}

	/** There are as many other methods as somebody likes to send. */
	private static String method(HttpServletRequest request) {
		return METHODS.contains(HttpMethod.valueOf(request.getMethod())) ? request.getMethod() : UNKNOWN;
	}

	/** The pattern and not the path, of which there are as many as sessions. */
	private static String route(HttpServletRequest request) {
		Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
		return (pattern != null) ? pattern.toString() : UNKNOWN;
	}

	private static String error(HttpServletRequest request) {
		Object failure = request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE);
		if (failure instanceof SessionException refusal) {
			return refusal.kind().name();
		}
		return (failure != null) ? failure.getClass().getSimpleName() : "none";
	}

}
