package dev.agentsessions.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells the operator what to do when two services use the same data folder. */
class DataDirectoryInUseFailureAnalyzer extends AbstractFailureAnalyzer<DataDirectoryInUseException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DataDirectoryInUseException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"""
						Stop the other service, or give this one a folder of its own with agent-sessions.embedded.data-directory \
						(environment variable AGENTSESSIONS_EMBEDDED_DATADIRECTORY), or let both use one PostgreSQL with \
						SPRING_DATASOURCE_URL.""",
				cause);
	}

}
