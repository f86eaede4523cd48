package dev.agentsessions.adk.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.ProblemCode;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.transfer.ImportedSession;
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

}
