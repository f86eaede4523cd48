package dev.agentsessions.web;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings for all requests.
 *
 * @param maxBodySize the largest body of a request; a larger one gets status 413
 * @param bodyTimeout how long a body may take to arrive; a slower one gets status 408
 * @param drainPeriod how long a replica that is stopped continues to serve requests
 * before it closes its port; load balancers learn in this time that it is not ready
 * @param maxJsonDepth how deep objects and arrays may be nested, at most 500
 * @param maxJsonTokens how many tokens a body may have: names, values, and the beginnings
 * and ends of objects and arrays; a body with more gets status 413
 */
@ConfigurationProperties("agent-sessions")
public record HttpProperties(@DefaultValue("16MB") DataSize maxBodySize, @DefaultValue("30s") Duration bodyTimeout,
		@DefaultValue("1s") Duration drainPeriod, @DefaultValue("500") int maxJsonDepth,
		@DefaultValue("250000") int maxJsonTokens) {

	/** The limit of the parsers of the service. */
	private static final int MAX_JSON_DEPTH = 500;

	static final DataSize MAX_BODY_SIZE = DataSize.ofGigabytes(1);

	public HttpProperties {
		check(maxBodySize.toBytes() > 0 && maxBodySize.compareTo(MAX_BODY_SIZE) <= 0,
				"agent-sessions.max-body-size must be 1B to 1GB");
		check(bodyTimeout.toMillis() > 0, "agent-sessions.body-timeout must be at least 1ms");
		check(maxJsonDepth > 0 && maxJsonDepth <= MAX_JSON_DEPTH,
				"agent-sessions.max-json-depth must be 1 to " + MAX_JSON_DEPTH);
		check(maxJsonTokens > 0, "agent-sessions.max-json-tokens must be at least 1");
	}

	static void check(boolean valid, String rule) {
		if (!valid) {
			throw new IllegalArgumentException(rule);
		}
	}

}
