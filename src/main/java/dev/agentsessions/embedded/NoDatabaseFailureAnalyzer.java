package dev.agentsessions.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells the operator what to set when no database is configured. */
class NoDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<NoDatabaseException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoDatabaseException cause) {
		return new FailureAnalysis(
				"Agent Sessions stores its data in PostgreSQL (15 or newer), and none is configured.",
				"""
						Set three environment variables, for example:

						    SPRING_DATASOURCE_URL=jdbc:postgresql://localhost:5432/agent_sessions
						    SPRING_DATASOURCE_USERNAME=agent_sessions
						    SPRING_DATASOURCE_PASSWORD=...

						To try the service out without a database of your own, run './mvnw spring-boot:run' in its sources,
						which starts a PostgreSQL with it, or 'docker compose up'.""",
				cause);
	}

}
