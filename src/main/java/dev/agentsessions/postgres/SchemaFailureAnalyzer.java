package dev.agentsessions.postgres;

import org.flywaydb.core.api.exception.FlywayValidateException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells the operator what to do when the tables belong to another version. */
class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<FlywayValidateException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, FlywayValidateException cause) {
		return new FailureAnalysis("The tables of the database are not those of this version of the service: " + cause
			.getMessage(), """
					Start the version that has made them, or a newer one. The service never downgrades tables, so an \
					older version cannot use them; to go back, restore the database from a backup. If the tables are \
					older, and this replica does not migrate them (spring.flyway.enabled=false), migrate them first.""",
				cause);
	}

}
