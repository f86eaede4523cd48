package dev.agentsessions.adk.transfer;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What became of an import.
 *
 * @param created how many sessions were stored
 * @param unchanged how many were there already, with the same content
 * @param conflicts how many were there with another content, and stayed as they were
 * @param refused how many broke a rule; a line that belongs to no session counts as one
 * @param events how many events the created sessions have
 * @param state what became of the shared state
 * @param complete whether the last line of an export was read; else something is missing
 * @param problems the first conflicts and refusals, in the order of their lines
 * @param problemsOmitted how many more there were
 */
record ImportReport(long created, long unchanged, long conflicts, long refused, long events, SharedStateReport state,
		boolean complete, List<Problem> problems, long problemsOmitted) {

	/**
	 * What became of the keys of shared state.
	 *
	 * @param created how many were not there
	 * @param unchanged how many were there with the same value
	 * @param conflicts how many were there with another value, and kept it
	 */
	record SharedStateReport(long created, long unchanged, long conflicts) {

	}

	/**
	 * Why a session, or a line, was not imported.
	 *
	 * @param line the line at which that was known, from 1
	 * @param userId the user, if it is known
	 * @param sessionId the session, if it is known
	 * @param code the code of a problem: ALREADY_EXISTS for a conflict
	 * @param detail what is wrong
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Problem(long line, @Nullable String userId, @Nullable String sessionId, String code, String detail) {

	}

}
