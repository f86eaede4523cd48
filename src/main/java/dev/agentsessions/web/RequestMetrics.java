package dev.agentsessions.web;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.Timer.Sample;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.info.BuildProperties;
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
 * Measures requests as {@code http.server.requests}, by method, route, status and kind of
 * error, and counts refusals as {@code agentsessions.refusals}. Spring's observations
 * would measure the same, but cost as much as the rest of an append.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class RequestMetrics extends OncePerRequestFilter {

	private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.values());

	private static final String UNKNOWN = "UNKNOWN";

	private final MeterRegistry registry;

	/** The kind of an internal error, which is no {@link SessionException}. */
	private static final String INTERNAL = "INTERNAL";

	/** Registered at the start, so that the first refusal shows as an increase. */
	private final Map<String, Counter> refusals = new TreeMap<>();

	RequestMetrics(MeterRegistry registry) {
		this.registry = registry;
		Stream.concat(Stream.of(Kind.values()).map(Kind::name), Stream.of(INTERNAL))
			.forEach((kind) -> this.refusals.put(kind,
					Counter.builder("agentsessions.refusals")
						.description("Requests that were refused, by kind")
						.tag("kind", kind)
						.register(registry)));
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		Sample sample = Timer.start(this.registry);
		boolean passed = false;
		try {
			chain.doFilter(request, response);
			passed = true;
		}
		finally {
			int status = (passed || response.isCommitted()) ? response.getStatus()
					: HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
			count(request, status);
			sample.stop(this.registry.timer("http.server.requests", "method", method(request), "uri", route(request),
					"status", Integer.toString(status), "error", error(request)));
		}
	}

	private void count(HttpServletRequest request, int status) {
		boolean fault = status == HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
		Counter counter = this.refusals.get(fault ? INTERNAL : error(request));
		if (counter != null) {
			counter.increment();
		}
	}

	/** Groups unknown methods, because clients can send any number of them. */
	private static String method(HttpServletRequest request) {
		return METHODS.contains(HttpMethod.valueOf(request.getMethod())) ? request.getMethod() : UNKNOWN;
	}

	/**
	 * Returns the pattern of the route and not the path, because each session has paths
	 * of its own.
	 */
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

	/**
	 * Publishes the version of the service as the gauge {@code agentsessions.build.info},
	 * whose value is always 1. It has only the feature version of Java: the exact version
	 * would reveal which vulnerabilities the runtime has.
	 */
	@Component
	static class BuildMetrics implements MeterBinder {

		private final BuildProperties build;

		BuildMetrics(BuildProperties build) {
			this.build = build;
		}

		@Override
		public void bindTo(MeterRegistry registry) {
			Gauge.builder("agentsessions.build.info", () -> 1)
				.description("Which version runs; always 1")
				.tag("version", String.valueOf(this.build.getVersion()))
				.tag("built", String.valueOf(this.build.getTime()))
				.tag("java", Integer.toString(Runtime.version().feature()))
				.register(registry);
		}

	}

}
