package dev.agentsessions.postgres;

import java.sql.SQLException;

import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains in a few lines why the service cannot start with its database. The codes are
 * from appendix A of the PostgreSQL documentation.
 */
class DatabaseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
		String action = (cause.getSQLState() != null) ? action(cause.getSQLState()) : null;
		return (action == null) ? null
				: new FailureAnalysis(
						"The service cannot work with its database: " + String.valueOf(cause.getMessage()).strip(),
						action, cause);
	}

	private static @Nullable String action(String state) {
		return switch (state) {
			case "08001", "08004", "08006", "57P03" ->
				"Start PostgreSQL, or correct SPRING_DATASOURCE_URL: host, port and name of the database.";
			case "28P01", "28000" -> "Correct SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD, "
					+ "or what pg_hba.conf says about this user.";
			case "3D000" -> "Create the database, or correct its name in SPRING_DATASOURCE_URL.";
			case "42501" ->
				"""
						The service creates and changes its tables itself. Let the user of SPRING_DATASOURCE_USERNAME own the \
						schema:

						    grant create, usage on schema public to <user>

						or migrate with another one: SPRING_FLYWAY_USER and SPRING_FLYWAY_PASSWORD.""";
			default -> null;
		};
	}

	/** Tells the operator what to do when the tables belong to another version. */
	static class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<FlywayValidateException> {

		@Override
		protected FailureAnalysis analyze(Throwable rootFailure, FlywayValidateException cause) {
			return new FailureAnalysis(
					"The tables of the database are not those of this version of the service: " + cause.getMessage(),
					"""
							Start the version that has made them, or a newer one. The service never downgrades tables, so an \
							older version cannot use them; to go back, restore the database from a backup. If the tables are \
							older, and this replica does not migrate them (spring.flyway.enabled=false), migrate them first.""",
					cause);
		}

	}

}
