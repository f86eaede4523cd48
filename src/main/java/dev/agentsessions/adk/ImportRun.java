package dev.agentsessions.adk;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.http.JsonLines;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.session.ImportConflictException;
import dev.agentsessions.session.ImportedSession;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionImport;
import dev.agentsessions.session.StateOwner;

/**
 * Reads an export and imports it. A line that breaks a rule takes its session with it,
 * and the next session goes on; only if the first line is not that of an export, or the
 * service itself cannot go on, everything ends.
 */
final class ImportRun {

	private final SessionImport target;

	private final JsonLines lines;

	private final ImportCounts counts;

	private boolean begun;

	private boolean ended;

	/** The user whose export it is, if it is not that of an app. */
	private @Nullable String onlyUser;

	/** The user here to whom lines belong. */
	private @Nullable String userId;

	/** After a line that was refused, lines are passed over up to the next session. */
	private boolean skipping;

	private @Nullable ImportedSession session;

	ImportRun(SessionImport target, JsonLines lines) {
		this.target = target;
		this.lines = lines;
		this.counts = new ImportCounts(lines::number);
	}

	/**
	 * Reads all lines.
	 * @throws JsonException if the first one is not that of an export
	 * @throws SessionException if that is not for this path, or the store does not answer
	 */
	ImportReport read() {
		try {
			boolean more = true;
			while (more) {
				more = readLine();
			}
			if (this.target.isInSession()) {
				refuse(ProblemCode.VALIDATION_FAILED, "The body ends before the session does");
			}
		}
		finally {
			this.target.abandon();
		}
		if (!this.begun) {
			throw new JsonException.InvalidShape("", "must begin with the first line of an export");
		}
		return this.counts.report(this.ended);
	}

	private boolean readLine() {
		try {
			return this.lines.next(this::take);
		}
		catch (JsonException.InvalidShape ex) {
			refuse(ProblemCode.VALIDATION_FAILED, ex);
		}
		catch (JsonException ex) {
			refuse(ProblemCode.INVALID_ARGUMENT, ex);
		}
		catch (ImportConflictException | SessionException.AlreadyExists ex) {
			this.counts.conflict(this.session, String.valueOf(ex.getMessage()));
			skip();
		}
		catch (SessionException.Unavailable | AccessException ex) {
			throw ex;
		}
		catch (SessionException ex) {
			refuse(ProblemCode.of(ex), ex);
		}
		return true;
	}

	/** Without a first line nothing can be said of the others. */
	private void refuse(ProblemCode code, RuntimeException ex) {
		if (!this.begun) {
			throw ex;
		}
		refuse(code, String.valueOf(ex.getMessage()));
	}

	private void refuse(ProblemCode code, String detail) {
		this.counts.refused(this.session, code, detail);
		skip();
	}

	private void skip() {
		this.target.abandon();
		this.skipping = true;
	}

	private void take(JsonObject line) {
		String kind = ImportLine.kind(line);
		if (!this.begun) {
			begin(kind, line);
			return;
		}
		switch (kind) {
			case TransferFormat.APP_STATE -> addState(new StateOwner(this.target.owner().appName(), null), line);
			case TransferFormat.USER -> user(line);
			case TransferFormat.USER_STATE -> addState(ImportLine.user(this.target.owner(), this.userId), line);
			case TransferFormat.SESSION -> session(line);
			case TransferFormat.STATE -> inSession(() -> this.target.add(ImportLine.state(line)));
			case TransferFormat.EVENT -> inSession(() -> this.target.add(ImportLine.event(line)));
			case TransferFormat.SESSION_END -> inSession(() -> endSession(line));
			case TransferFormat.END -> this.ended = true;
			default -> throw new JsonException.InvalidShape(TransferFormat.KIND, "must be that of a line of an export");
		}
	}

	private void begin(String kind, JsonObject line) {
		ImportLine.checkHeader(kind, line);
		this.onlyUser = line.string(TransferFormat.USER_ID);
		if (this.target.owner().userId() != null && this.onlyUser == null) {
			throw new SessionException.InvalidArgument(TransferFormat.USER_ID,
					"is required in the first line: the export of an app cannot be imported into one user");
		}
		this.begun = true;
	}

	/** Where all goes to one user, it does so whatever they were called. */
	private void user(JsonObject line) {
		endOpenSession();
		this.userId = null;
		String named = ImportLine.userId(line);
		if (this.onlyUser != null && !this.onlyUser.equals(named)) {
			throw new JsonException.InvalidShape(TransferFormat.USER_ID, "must be that of the first line");
		}
		this.userId = (this.target.owner().userId() != null) ? this.target.owner().userId() : named;
	}

	private void addState(StateOwner owner, JsonObject line) {
		endOpenSession();
		this.counts.state(owner, this.target.addState(owner, ImportLine.state(line)));
	}

	private void session(JsonObject line) {
		endOpenSession();
		this.skipping = false;
		this.session = null;
		ImportedSession next = ImportLine.session(line, ImportLine.user(this.target.owner(), this.userId));
		this.session = next;
		this.target.begin(next);
	}

	private void endOpenSession() {
		if (this.target.isInSession()) {
			refuse(ProblemCode.VALIDATION_FAILED, "The next line begins before the session has ended");
		}
		this.session = null;
	}

	private void inSession(Runnable action) {
		if (this.skipping) {
			return;
		}
		if (!this.target.isInSession()) {
			throw new JsonException.InvalidShape(TransferFormat.KIND, "must not stand outside of a session");
		}
		action.run();
	}

	private void endSession(JsonObject line) {
		ImportedSession whole = this.session;
		if (line.flag(TransferFormat.DELETED)) {
			this.target.abandon();
		}
		else if (whole != null) {
			this.counts.stored(this.target.end(), whole.version().revision());
		}
		this.session = null;
	}

}
