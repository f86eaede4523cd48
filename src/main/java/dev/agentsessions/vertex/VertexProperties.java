package dev.agentsessions.vertex;

import java.time.Duration;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

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
@ConfigurationProperties("agent-sessions.vertex")
record VertexProperties(@DefaultValue Map<String, String> apps, @DefaultValue("local") String project,
		@DefaultValue("local") String location, @DefaultValue("365d") Duration sessionTtl,
		@DefaultValue("64MB") DataSize maxBodySize, @DefaultValue("false") boolean tokenEndpoint) {

	VertexProperties {
		Assert.isTrue(sessionTtl.toMillis() > 0, "agent-sessions.vertex.session-ttl must be at least 1ms");
		Assert.isTrue(maxBodySize.toBytes() > 0, "agent-sessions.vertex.max-body-size must be at least 1B");
	}

}
