package dev.agentsessions.security;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Says which setting of the API keys is not valid. Comes before the analyzer of Spring
 * Boot, which would show the value, and this may be a key.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class ApiKeysFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		return ConfiguredApiKeys
			.contains(cause.getName()) ? new FailureAnalysis(ConfiguredApiKeys.reason(cause) + origin(cause), """
					Each key is an element of the list with name, sha256, apps, and the role metrics, reader, agent \
					or administrator. --new-api-key prints a key and its settings.""", cause) : null;
	}

	private static String origin(BindException failure) {
		ConfigurationProperty property = failure.getProperty();
		return (property != null) ? ", from " + property.getOrigin() : "";
	}

}
