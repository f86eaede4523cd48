package dev.agentsessions.adk.transfer;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;

/**
 * The user to whom the lines of an import belong. Where all goes to one user, it does so
 * whatever they were called.
 */
final class ImportUserCursor {

	private final StateOwner target;

	/** The user whose export it is, if it is not that of an app. */
	private @Nullable String exported;

	private @Nullable String userId;

	/**
	 * Creates the user of no line yet.
	 * @param target the user or the app into which all goes
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

	/** Reads the line with which a user begins. */
	void begin(JsonObject line) {
		this.userId = null;
		String named = ImportLineParser.userId(line);
		if (this.exported != null && !this.exported.equals(named)) {
			throw new JsonException.InvalidShape(TransferFormat.USER_ID, "must be that of the first line");
		}
		this.userId = (this.target.userId() != null) ? this.target.userId() : named;
	}

	/** After a line that could not be read: it may have begun another user. */
	void forget() {
		if (this.exported == null) {
			this.userId = null;
		}
	}

	/** The user to whom a line belongs. */
	StateOwner owner() {
		if (this.userId == null) {
			throw new JsonException.InvalidShape(TransferFormat.KIND, "must be user before any line of a user");
		}
		return new StateOwner(this.target.appName(), this.userId);
	}

}
