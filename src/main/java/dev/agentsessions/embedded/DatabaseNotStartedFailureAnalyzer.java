package dev.agentsessions.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why PostgreSQL did not start, in its own words. */
class DatabaseNotStartedFailureAnalyzer extends AbstractFailureAnalyzer<DatabaseNotStartedException> {

	private static final String COPY = """
			The folder looks like a copy of one that is in use, or is in use itself. Stop the service before you copy its folder. \
			If no PostgreSQL runs on this one, delete its file postgres/postmaster.pid, and start again.""";

	private static final String OTHER = "Mend what PostgreSQL complains about, and start again.";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DatabaseNotStartedException cause) {
		String words = String.join("\n    ", cause.words());
		return new FailureAnalysis(cause.getMessage() + "\nIt says:\n\n    " + words,
				words.contains("postmaster.pid") ? COPY : OTHER, cause);
	}

}
