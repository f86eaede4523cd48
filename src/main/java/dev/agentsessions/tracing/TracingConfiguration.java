package dev.agentsessions.tracing;

import java.io.IOException;
import java.util.Objects;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.RequestId;
import dev.agentsessions.web.SessionPath.PathVariables;

/** Sends traces if an endpoint is set. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("agent-sessions.tracing.endpoint")
class TracingConfiguration {

	/** Closing the provider sends the remaining spans. */
	@Bean(destroyMethod = "close")
	SdkTracerProvider tracerProvider(TracingProperties properties, BuildProperties build,
			@Value("${spring.application.name}") String name) {
		Resource service = Resource.getDefault()
			.merge(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), name,
					AttributeKey.stringKey("service.version"), String.valueOf(build.getVersion()))));
		OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
			.setEndpoint(Objects.requireNonNull(properties.endpoint()))
			.build();
		return SdkTracerProvider.builder()
			.setResource(service)
			.setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(properties.sampling())))
			.addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
			.build();
	}

	@Bean
	RequestTraceFilter requestTraces(SdkTracerProvider provider) {
		return new RequestTraceFilter(provider.get("dev.agentsessions"));
	}

	/**
	 * Settings of traces.
	 *
	 * @param endpoint the address of an OpenTelemetry collector that accepts OTLP over
	 * HTTP; none for no traces
	 * @param sampling the share of requests that are traced, from 0 to 1, if the caller
	 * has not decided; a request that its caller traces is traced here, too
	 */
	@Validated
	@ConfigurationProperties("agent-sessions.tracing")
	record TracingProperties(@Nullable String endpoint,
			@DefaultValue("0.1") @DecimalMin("0") @DecimalMax("1") double sampling) {
	}

	/**
	 * Makes a span of each request: part of the caller's trace if the caller sent the
	 * header {@code traceparent} (W3C Trace Context). The span has the route, the names
	 * in the path, the status and the kind of error, named by OpenTelemetry's conventions
	 * for HTTP; neither the query nor headers nor bodies. Log lines of the request have
	 * the ids of the span.
	 */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class RequestTraceFilter extends OncePerRequestFilter {

		private static final String OWN_PREFIX = "agent_sessions.";

		private static final int SERVER_ERROR = 500;

		private final Tracer tracer;

		RequestTraceFilter(Tracer tracer) {
			this.tracer = tracer;
		}

		/** Actuator requests are not traced. */
		@Override
		protected boolean shouldNotFilter(HttpServletRequest request) {
			return request.getRequestURI().startsWith("/actuator/");
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			Span span = this.tracer.spanBuilder(request.getMethod())
				.setParent(W3CTraceContextPropagator.getInstance().extract(Context.root(), request, Headers.GETTER))
				.setSpanKind(SpanKind.SERVER)
				.startSpan();
			MDC.put("traceId", span.getSpanContext().getTraceId());
			MDC.put("spanId", span.getSpanContext().getSpanId());
			try {
				chain.doFilter(request, response);
			}
			finally {
				describe(span, request, response.getStatus());
				span.end();
				MDC.remove("traceId");
				MDC.remove("spanId");
			}
		}

		private static void describe(Span span, HttpServletRequest request, int status) {
			span.setAttribute("http.request.method", request.getMethod());
			span.setAttribute("http.response.status_code", status);
			span.setAttribute(OWN_PREFIX + "request_id", RequestId.of(request));
			Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
			if (route != null) {
				span.updateName(request.getMethod() + " " + route);
				span.setAttribute("http.route", route.toString());
			}
			PathVariables.of(request).forEach((name, value) -> span.setAttribute(OWN_PREFIX + name, value));
			if (request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) instanceof Exception failure) {
				span.setAttribute("error.type", (failure instanceof SessionException refusal) ? refusal.kind().name()
						: failure.getClass().getSimpleName());
			}
			if (status >= SERVER_ERROR) {
				span.setStatus(StatusCode.ERROR);
			}
		}

		private enum Headers implements TextMapGetter<HttpServletRequest> {

			GETTER;

			@Override
			public Iterable<String> keys(HttpServletRequest request) {
				return () -> request.getHeaderNames().asIterator();
			}

			@Override
			public @Nullable String get(@Nullable HttpServletRequest request, String name) {
				return (request != null) ? request.getHeader(name) : null;
			}

		}

	}

}
