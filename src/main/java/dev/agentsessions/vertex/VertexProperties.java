package dev.agentsessions.vertex;

import java.time.Duration;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What holds for the Vertex AI dialect.
 *
 * @param apps the app of a reasoning engine, by the id of the engine; an engine that is
 * not named here is the app of the same name
 * @param project the project in the answers to paths without one (express mode)
 * @param location the location in the answers to paths without one (express mode)
 * @param sessionTtl how long a session lives that was created over this dialect without
 * an end of its own
 * @param maxBodySize the largest body of a request, as far as a tenth of the heap is
 * enough for it
 * @param tokenEndpoint whether POST /sts/token hands the text of a credential file back
 * as an access token, so that clients which insist on Google's application default
 * credentials work without Google
 */
@ConfigurationProperties("agent-sessions.vertex")
record VertexProperties(@DefaultValue Map<String, String> apps, @DefaultValue("local") String project,
		@DefaultValue("local") String location, @DefaultValue("365d") Duration sessionTtl,
		@DefaultValue("64MB") DataSize maxBodySize, @DefaultValue("false") boolean tokenEndpoint) {
}
