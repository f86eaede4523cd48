package dev.agentsessions.tracing;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of traces.
 *
 * @param endpoint the address of an OpenTelemetry collector that accepts OTLP over HTTP;
 * none for no traces
 * @param sampling the share of requests that are traced, from 0 to 1, if the caller has
 * not decided; a request that its caller traces is traced here, too
 */
@ConfigurationProperties("agent-sessions.tracing")
record TracingProperties(@Nullable String endpoint, @DefaultValue("0.1") double sampling) {

	TracingProperties {
		Assert.isTrue(sampling >= 0 && sampling <= 1, "agent-sessions.tracing.sampling must be from 0 to 1");
	}

}
