package dev.agentsessions.tracing;

import java.util.Objects;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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

}
