package dev.agentsessions.adk.transfer;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The result of an import.
 *
 * @param created the number of sessions that were stored
 * @param unchanged the number of sessions that existed with the same content
 * @param conflicts the number of sessions that existed with other content and were not
 * changed
 * @param refused the number of sessions that broke a rule; a line that belongs to no
 * session counts as one
 * @param events the number of events of the created sessions
 * @param state the result for the shared state
 * @param artifacts the result for the artifacts
 * @param complete whether the last line of an export was read; if not, data is missing
 * @param problems the first conflicts and refusals, in the order of their lines
 * @param problemsOmitted the number of further problems
 */
record ImportReport(long created, long unchanged, long conflicts, long refused, long events, SharedStateReport state,
		ArtifactReport artifacts, boolean complete, List<Problem> problems, long problemsOmitted) {

	/**
	 * The result of an import for the keys of shared state.
	 *
	 * @param created the number of keys that were created
	 * @param unchanged the number of keys that existed with the same value
	 * @param conflicts the number of keys that existed with another value, which was not
	 * changed
	 */
	record SharedStateReport(long created, long unchanged, long conflicts) {

	}

	/**
	 * The result of an import for the versions of artifacts.
	 *
	 * @param created the number of versions that were stored
	 * @param unchanged the number of versions that existed with the same content
	 * @param conflicts the number of versions that existed with other content, which was
	 * not changed
	 * @param refused the number of versions that broke a rule
	 */
	record ArtifactReport(long created, long unchanged, long conflicts, long refused) {

	}

	/**
	 * Why a session or a line was not imported.
	 *
	 * @param line the number of the line at which the problem was found, from 1
	 * @param userId the user, if known
	 * @param sessionId the session, if known
	 * @param code the code of a problem: ALREADY_EXISTS for a conflict
	 * @param detail the description of the problem
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Problem(long line, @Nullable String userId, @Nullable String sessionId, String code, String detail) {

	}

}
