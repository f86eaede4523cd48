package dev.agentsessions.adk.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.ProblemCode;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.transfer.ImportedSession;
import dev.agentsessions.session.transfer.StateMergeResult;

/** Counts what becomes of an import. */
final class ImportCounts {

	/** So many problems are told one by one. */
	static final int PROBLEMS_TOLD = 1000;

	/** Texts may repeat names of a line, which are as long as their sender likes. */
	private static final int CHARACTERS_TOLD = 500;

	private final List<ImportReport.Problem> problems = new ArrayList<>();

	private final LongSupplier line;

	private long created;

	private long unchanged;

	private long conflicts;

	private long refused;

	private long events;

	private long stateCreated;

	private long stateUnchanged;

	private long stateConflicts;

	private long omitted;

	/**
	 * Creates counts.
	 * @param line the number of the line that is worked on
	 */
	ImportCounts(LongSupplier line) {
		this.line = line;
	}

	/** A session is there, and was not before if it is new. */
	void stored(boolean isNew, long withEvents) {
		if (isNew) {
			this.created++;
			this.events += withEvents;
		}
		else {
			this.unchanged++;
		}
	}

	void conflict(@Nullable ImportedSession session, String detail) {
		this.conflicts++;
		tell(session, ProblemCode.ALREADY_EXISTS, detail);
	}

	/** A session, or a line that belongs to none, breaks a rule. */
	void refused(@Nullable ImportedSession session, ProblemCode code, String detail) {
		this.refused++;
		tell(session, code, detail);
	}

	void state(StateOwner owner, StateMergeResult added) {
		this.stateCreated += added.created();
		this.stateUnchanged += added.unchanged();
		this.stateConflicts += added.conflicts();
		if (added.conflicts() > 0) {
			tell(new ImportReport.Problem(this.line.getAsLong(), owner.userId(), null,
					ProblemCode.ALREADY_EXISTS.name(),
					"%d keys are there with other values".formatted(added.conflicts())));
		}
	}

	ImportReport report(boolean complete) {
		return new ImportReport(this.created, this.unchanged, this.conflicts, this.refused, this.events,
				new ImportReport.SharedStateReport(this.stateCreated, this.stateUnchanged, this.stateConflicts),
				complete, this.problems, this.omitted);
	}

	private void tell(@Nullable ImportedSession session, ProblemCode code, String detail) {
		String userId = (session != null) ? session.key().userId() : null;
		String sessionId = (session != null) ? session.key().sessionId() : null;
		tell(new ImportReport.Problem(this.line.getAsLong(), userId, sessionId, code.name(), shortened(detail)));
	}

	private static String shortened(String detail) {
		return (detail.length() <= CHARACTERS_TOLD) ? detail : detail.substring(0, CHARACTERS_TOLD) + " ...";
	}

	private void tell(ImportReport.Problem problem) {
		if (this.problems.size() < PROBLEMS_TOLD) {
			this.problems.add(problem);
		}
		else {
			this.omitted++;
		}
	}

}
