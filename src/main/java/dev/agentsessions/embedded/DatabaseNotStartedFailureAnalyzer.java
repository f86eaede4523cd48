package dev.agentsessions.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows why PostgreSQL did not start, with the last lines of its log. */
class DatabaseNotStartedFailureAnalyzer extends AbstractFailureAnalyzer<DatabaseNotStartedException> {

	private static final String COPIED_FOLDER_ACTION = """
			The folder looks like a copy of one that is in use, or is in use itself. Stop the service before you copy its folder. \
			If no PostgreSQL runs on this one, delete its file postgres/postmaster.pid, and start again.""";

	private static final String OTHER_ACTION = "Fix the problem that PostgreSQL reports, and start again.";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DatabaseNotStartedException cause) {
		String lastLines = String.join("\n    ", cause.lastLines());
		return new FailureAnalysis(cause.getMessage() + "\nThe last lines of its log:\n\n    " + lastLines,
				lastLines.contains("postmaster.pid") ? COPIED_FOLDER_ACTION : OTHER_ACTION, cause);
	}

}
