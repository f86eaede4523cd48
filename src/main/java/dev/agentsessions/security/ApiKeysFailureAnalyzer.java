package dev.agentsessions.security;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
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
		return ConfiguredApiKeys.isName(cause.getName()) ? new FailureAnalysis(ConfiguredApiKeys.reason(cause),
				"Start the service with --new-api-key. It prints a key and its settings.", cause) : null;
	}

}
