package dev.agentsessions.adk.transfer;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.transfer.TransferFormat;

/**
 * The user to whom the current lines of an import belong. If the import goes to one user,
 * all lines belong to that user, whichever user they name.
 */
final class ImportUserCursor {

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
		if (this.target.userId() != null && this.exported == null) {
			throw new SessionException.InvalidArgument(TransferFormat.USER_ID,
					"is required in the first line: the export of an app cannot be imported into one user");
		}
	}

	/** Reads a line that begins a user. */
	void begin(JsonObject line) {
		this.userId = null;
		String named = ImportLineParser.userId(line);
		if (this.exported != null && !this.exported.equals(named)) {
			throw new JsonException.InvalidShape(TransferFormat.USER_ID, "must be that of the first line");
		}
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
			throw new JsonException.InvalidShape(TransferFormat.KIND, "must be user before any line of a user");
		}
		return new StateOwner(this.target.appName(), this.userId);
	}

}
