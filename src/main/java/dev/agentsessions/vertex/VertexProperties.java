package dev.agentsessions.vertex;

import java.time.Duration;
import java.util.Map;

import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.startup.DataSizeRange;

/**
 * The settings of the Vertex AI dialect.
 *
 * @param apps the app of a reasoning engine, by the id of the engine; an engine without
 * an entry is the app of the same name
 * @param project the project in responses to paths without a project (express mode)
 * @param location the location in responses to paths without a location (express mode)
 * @param sessionTtl the lifetime of a session that this dialect creates without an expiry
 * @param maxBodySize the maximum size of a request body, at most a tenth of the heap
 * @param tokenEndpoint whether POST /sts/token returns the text of a credential file as
 * an access token, so that clients that require Google's application default credentials
 * work without Google
 */
@Validated
@ConfigurationProperties("agent-sessions.vertex")
record VertexProperties(@DefaultValue Map<String, String> apps, @DefaultValue("local") String project,
		@DefaultValue("local") String location, @DefaultValue("365d") @DurationMin(millis = 1) Duration sessionTtl,
		@DefaultValue("64MB") @DataSizeRange(max = "1GB") DataSize maxBodySize,
		@DefaultValue("false") boolean tokenEndpoint) {
}
