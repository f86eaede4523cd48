package dev.agentsessions.adk.transfer;

import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.ProblemCode;
import dev.agentsessions.adk.transfer.ImportCounts.ImportReport;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.SessionImport;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.web.JsonLinesReader.JsonLines;
import dev.agentsessions.web.TransferFormat;

/**
 * Reads an export and imports it. If a line breaks a rule, its session is refused and the
 * import continues with the next session. The import stops only if the first line is not
 * that of an export, or if the service itself cannot continue.
 */
final class NdjsonImport {

	private final SessionImport target;

	private final JsonLines lines;

	private final ImportUserCursor user;

	private final ImportCounts counts;

	private boolean begun;

	private boolean ended;

	/** The number of sessions in the body, whatever their result. */
	private long sessions;

	/** Whether the current line could be parsed and did not begin a user. */
	private boolean sameUser;

	/** Whether lines are skipped up to the next session, because a line was refused. */
	private boolean skipping;

	private @Nullable ImportedSession session;

	/** The session before the current line, if it is stored. */
	private @Nullable ImportedSession stored;

	NdjsonImport(SessionImport target, JsonLines lines) {
		this.target = target;
		this.lines = lines;
		this.user = new ImportUserCursor(target.owner());
		this.counts = new ImportCounts(lines::number);
	}

	/**
	 * Imports all lines.
	 * @throws JsonException if the first line is not the first line of an export
	 * @throws SessionException if the export does not fit the path of the request, or the
	 * store does not respond
	 */
	ImportReport read() {
		try {
			while (readLine()) {
				// Continue with the next line.
			}
			if (isOpen()) {
				refuse(ProblemCode.VALIDATION_FAILED, "The body ends before the session or the artifact does");
			}
		}
		finally {
			this.target.abandon();
		}
		InvalidShape.check(this.begun, "", "must begin with the first line of an export");
		this.target.finish();
		return this.counts.report(this.ended);
	}

	private boolean readLine() {
		this.sameUser = false;
		try {
			return this.lines.next(this::take);
		}
		catch (InvalidShape ex) {
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

	/**
	 * Refuses a line. Before the first line of an export, stops the import, because the
	 * other lines cannot be interpreted.
	 */
	private void refuse(ProblemCode code, RuntimeException ex) {
		if (!this.begun) {
			throw ex;
		}
		if (!this.sameUser && ex instanceof JsonException) {
			this.user.forget();
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
		String kind = ImportLineParser.kind(line);
		if (!this.begun) {
			begin(kind, line);
			return;
		}
		this.sameUser = TransferFormat.BELOW_USER.contains(kind);
		switch (kind) {
			case TransferFormat.APP_STATE -> addState(new StateOwner(this.target.owner().appName(), null), line);
			case TransferFormat.USER -> user(line);
			case TransferFormat.USER_STATE -> addState(this.user.owner(), line);
			case TransferFormat.SESSION -> session(line);
			case TransferFormat.INITIAL_STATE -> inSession(() -> this.target.addInitial(ImportLineParser.state(line)));
			case TransferFormat.STATE -> inSession(() -> this.target.add(ImportLineParser.state(line)));
			case TransferFormat.EVENT -> inSession(() -> this.target.add(ImportLineParser.event(line)));
			case TransferFormat.SESSION_END -> endSession(line);
			case TransferFormat.ARTIFACT -> artifact(line);
			case TransferFormat.ARTIFACT_CHUNK -> artifactChunk(line);
			case TransferFormat.END -> this.ended = ImportLineParser.isComplete(line, this.sessions);
			default -> throw new InvalidShape(TransferFormat.KIND, "must be that of a line of an export");
		}
	}

	private void begin(String kind, JsonObject line) {
		ImportLineParser.checkHeader(kind, line);
		this.user.header(line);
		this.target.from(line.string(TransferFormat.APP_NAME), line.string(TransferFormat.USER_ID));
		this.begun = true;
	}

	private void user(JsonObject line) {
		endOpenSession();
		this.stored = null;
		this.user.begin(line);
	}

	private void addState(StateOwner owner, JsonObject line) {
		endOpenSession();
		this.counts.state(owner, this.target.addState(owner, ImportLineParser.state(line)));
	}

	private void session(JsonObject line) {
		endOpenSession();
		this.skipping = false;
		this.stored = null;
		ImportedSession next = ImportLineParser.session(line, this.user.owner());
		this.session = next;
		this.target.begin(next);
	}

	private boolean isOpen() {
		return this.target.isInSession() || this.target.artifacts().isOpen();
	}

	private void endOpenSession() {
		if (isOpen()) {
			refuse(ProblemCode.VALIDATION_FAILED, "The next line begins before the session or the artifact has ended");
		}
		this.session = null;
		this.counts.beginSession();
	}

	private void inSession(Runnable action) {
		if (this.skipping) {
			return;
		}
		InvalidShape.check(this.target.isInSession(), TransferFormat.KIND, "is only allowed within a session");
		action.run();
	}

	private void endSession(JsonObject line) {
		boolean deleted = line.flag(TransferFormat.DELETED);
		this.sessions += deleted ? 0 : 1;
		inSession(() -> {
			if (deleted) {
				this.target.abandon();
			}
			else {
				long events = Objects.requireNonNull(this.session).revision();
				this.counts.stored(this.target.end(), events);
				this.stored = this.session;
			}
			this.session = null;
		});
	}

	private void artifact(JsonObject line) {
		endOpenSession();
		this.skipping = false;
		this.counts.beginArtifact(line.get(TransferFormat.NAME), line.get(TransferFormat.VERSION));
		TransferredArtifact artifact = ImportLineParser.artifact(line, this.user.owner(), this.stored);
		this.session = artifact.version().name().owner().isPresent() ? this.stored : null;
		boolean reference = TransferFormat.REFERENCE.equals(line.string(TransferFormat.CONTENT));
		count(this.target.artifacts().begin(artifact, !reference));
	}

	private void artifactChunk(JsonObject line) {
		if (this.skipping) {
			return;
		}
		InvalidShape.check(this.target.artifacts().isOpen(), TransferFormat.KIND,
				"is only allowed after an artifact with bytes");
		if (line.flag(TransferFormat.DELETED)) {
			skip();
		}
		else {
			count(this.target.artifacts().add(ImportLineParser.bytes(line)));
		}
	}

	/** The bytes of an existing version are skipped. */
	private void count(Optional<Boolean> created) {
		created.ifPresent((isNew) -> {
			this.counts.stored(isNew, 0);
			this.skipping = !isNew;
		});
	}

	/**
	 * The user to whom the current lines of an import belong. If the import goes to one
	 * user, all lines belong to that user, whichever user they name.
	 */
	static final class ImportUserCursor {

		private final StateOwner target;

		/** The user of the export; {@code null} for the export of an app. */
		private @Nullable String exported;

		private @Nullable String userId;

		/**
		 * Creates a cursor before the first line.
		 * @param target the user or the app into which the export is imported
		 */
		ImportUserCursor(StateOwner target) {
			this.target = target;
		}

		/** Reads the first line of an export. */
		void header(JsonObject line) {
			this.exported = line.string(TransferFormat.USER_ID);
			InvalidArgument.check(this.target.userId() == null || this.exported != null, TransferFormat.USER_ID,
					"is required in the first line: the export of an app cannot be imported into one user");
		}

		/** Reads a line that begins a user. */
		void begin(JsonObject line) {
			this.userId = null;
			String named = ImportLineParser.userId(line);
			InvalidShape.check(this.exported == null || this.exported.equals(named), TransferFormat.USER_ID,
					"must be that of the first line");
			this.userId = (this.target.userId() != null) ? this.target.userId() : named;
		}

		/**
		 * Forgets the user after a line that could not be parsed: the line may have begun
		 * another user.
		 */
		void forget() {
			if (this.exported == null) {
				this.userId = null;
			}
		}

		/** Returns the user to whom the current line belongs. */
		StateOwner owner() {
			if (this.userId == null) {
				throw new InvalidShape(TransferFormat.KIND, "must be user before any line of a user");
			}
			return new StateOwner(this.target.appName(), this.userId);
		}

	}

}
