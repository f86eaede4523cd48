package dev.agentsessions.web;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.info.BuildProperties;
import org.springframework.stereotype.Component;

/**
 * Publishes the version of the service as the gauge {@code agentsessions.build.info},
 * whose value is always 1. It has only the feature version of Java: the exact version
 * would reveal which vulnerabilities the runtime has.
 */
@Component
class BuildMetrics implements MeterBinder {

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
