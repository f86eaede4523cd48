package dev.agentsessions.web;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.info.BuildProperties;
import org.springframework.stereotype.Component;

/**
 * Which version runs, as {@code agentsessions.build.info}, always 1. Of the Java runtime
 * only the feature version is named: the exact one would tell which holes it has.
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
