package dev.agentsessions.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What holds for all requests.
 *
 * @param maxBodySize the largest body of a request; a larger one is answered 413
 */
@ConfigurationProperties("agent-sessions")
record HttpProperties(@DefaultValue("16MB") DataSize maxBodySize) {
}
