package dev.agentsessions.adk.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.ProblemCode;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.SessionImport.StateMergeResult;

/** Counts the results of an import. */
final class ImportCounts {

	/** Maximum number of problems in the report. Further problems are only counted. */
	static final int MAX_PROBLEMS = 1000;

	/**
	 * Limits the text of a problem, which may repeat names of any length from a line.
	 */
	private static final int MAX_DETAIL_CHARS = 500;

	private final List<ImportReport.Problem> problems = new ArrayList<>();

	private final LongSupplier line;

	private final Results sessions = new Results();

	private final Results artifacts = new Results();

	private long events;

	private ImportReport.SharedStateReport state = new ImportReport.SharedStateReport(0, 0, 0);

	/** The artifact of the current line; {@code null} if the line is of none. */
	private @Nullable String artifact;

	private long omitted;

	/**
	 * Creates counts.
	 * @param line supplies the number of the current line
	 */
	ImportCounts(LongSupplier line) {
		this.line = line;
	}

	/** The next problems are of a session. */
	void beginSession() {
		this.artifact = null;
	}

	/** The next problems are of an artifact. */
	void beginArtifact(@Nullable JsonText name, @Nullable JsonText version) {
		this.artifact = "Version %s of the artifact %s: ".formatted((version != null) ? version.text() : "",
				(name != null) ? name.text() : "");
	}

	private Results current() {
		return (this.artifact != null) ? this.artifacts : this.sessions;
	}

	/**
	 * Counts an imported session or version of an artifact.
	 * @param isNew whether the import created it
	 * @param withEvents the number of its events
	 */
	void stored(boolean isNew, long withEvents) {
		if (isNew) {
			current().created++;
			this.events += withEvents;
		}
		else {
			current().unchanged++;
		}
	}

	void conflict(@Nullable ImportedSession session, String detail) {
		current().conflicts++;
		add(session, ProblemCode.ALREADY_EXISTS, detail);
	}

	/**
	 * Counts a refused session or version of an artifact, or a refused line that belongs
	 * to none.
	 */
	void refused(@Nullable ImportedSession session, ProblemCode code, String detail) {
		current().refused++;
		add(session, code, detail);
	}

	void state(StateOwner owner, StateMergeResult added) {
		this.state = new ImportReport.SharedStateReport(this.state.created() + added.created(),
				this.state.unchanged() + added.unchanged(), this.state.conflicts() + added.conflicts());
		if (added.conflicts() > 0) {
			add(new ImportReport.Problem(this.line.getAsLong(), owner.userId(), null, ProblemCode.ALREADY_EXISTS.name(),
					"%d existing keys have other values".formatted(added.conflicts())));
		}
	}

	ImportReport report(boolean complete) {
		return new ImportReport(this.sessions.created, this.sessions.unchanged, this.sessions.conflicts,
				this.sessions.refused, this.events, this.state, new ImportReport.ArtifactReport(this.artifacts.created,
						this.artifacts.unchanged, this.artifacts.conflicts, this.artifacts.refused),
				complete, this.problems, this.omitted);
	}

	private void add(@Nullable ImportedSession session, ProblemCode code, String detail) {
		String userId = (session != null) ? session.name().userId() : null;
		String sessionId = (session != null) ? session.name().sessionId() : null;
		add(new ImportReport.Problem(this.line.getAsLong(), userId, sessionId, code.name(),
				shortened(Objects.requireNonNullElse(this.artifact, "") + detail)));
	}

	private static String shortened(String detail) {
		return (detail.length() <= MAX_DETAIL_CHARS) ? detail : detail.substring(0, MAX_DETAIL_CHARS) + " ...";
	}

	private void add(ImportReport.Problem problem) {
		if (this.problems.size() < MAX_PROBLEMS) {
			this.problems.add(problem);
		}
		else {
			this.omitted++;
		}
	}

	/** The numbers of sessions, or of versions of artifacts, by their results. */
	private static final class Results {

		private long created;

		private long unchanged;

		private long conflicts;

		private long refused;

	}

	/**
	 * The result of an import.
	 *
	 * @param created the number of sessions that were stored
	 * @param unchanged the number of sessions that existed with the same content
	 * @param conflicts the number of sessions that existed with other content and were
	 * not changed
	 * @param refused the number of sessions that broke a rule; a line that belongs to no
	 * session counts as one
	 * @param events the number of events of the created sessions
	 * @param state the result for the shared state
	 * @param artifacts the result for the artifacts
	 * @param complete whether the last line of an export was read; if not, data is
	 * missing
	 * @param problems the first conflicts and refusals, in the order of their lines
	 * @param problemsOmitted the number of further problems
	 */
	record ImportReport(long created, long unchanged, long conflicts, long refused, long events,
			SharedStateReport state, ArtifactReport artifacts, boolean complete, List<Problem> problems,
			long problemsOmitted) {

		/**
		 * The result of an import for the keys of shared state.
		 *
		 * @param created the number of keys that were created
		 * @param unchanged the number of keys that existed with the same value
		 * @param conflicts the number of keys that existed with another value, which was
		 * not changed
		 */
		record SharedStateReport(long created, long unchanged, long conflicts) {

		}

		/**
		 * The result of an import for the versions of artifacts.
		 *
		 * @param created the number of versions that were stored
		 * @param unchanged the number of versions that existed with the same content
		 * @param conflicts the number of versions that existed with other content, which
		 * was not changed
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

}
