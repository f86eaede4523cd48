package dev.agentsessions.tracing;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of traces.
 *
 * @param endpoint the address of an OpenTelemetry collector that accepts OTLP over HTTP;
 * none for no traces
 * @param sampling the share of requests that are traced, from 0 to 1, if the caller has
 * not decided; a request that its caller traces is traced here, too
 */
@Validated
@ConfigurationProperties("agent-sessions.tracing")
record TracingProperties(@Nullable String endpoint,
		@DefaultValue("0.1") @DecimalMin("0") @DecimalMax("1") double sampling) {
}
