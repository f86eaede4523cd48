package dev.agentsessions.security;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import dev.agentsessions.security.ApiKeyReload.ConfiguredApiKeys;

/**
 * Says which setting of the API keys is not valid. Comes before the analyzer of Spring
 * Boot, which would show the value, and this may be a key.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class ApiKeysFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final String ACTION = """
			Each key is an element of the list with name, sha256, apps, and the role metrics, reader, agent or \
			administrator. --new-api-key prints a key and its settings.""";

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!ConfiguredApiKeys.contains(cause.getName())) {
			return null;
		}
		Origin origin = Origin.from(cause.getProperty());
		String place = (origin != null) ? ", from " + origin : "";
		return new FailureAnalysis(ConfiguredApiKeys.reason(cause) + place, ACTION, cause);
	}

}
