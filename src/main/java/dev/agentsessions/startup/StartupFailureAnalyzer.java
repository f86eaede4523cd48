package dev.agentsessions.startup;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Shows the reason and the action of a {@link StartupException} instead of a stack trace.
 */
class StartupFailureAnalyzer extends AbstractFailureAnalyzer<StartupException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, StartupException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
