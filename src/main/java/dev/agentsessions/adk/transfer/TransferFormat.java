package dev.agentsessions.adk.transfer;

import java.util.Set;

/**
 * The names in an export. Each line is an object that says its kind: first
 * {@link #EXPORT}, then {@link #APP_STATE}, then for each user {@link #USER},
 * {@link #USER_STATE} and sessions, at last {@link #END}. A session is {@link #SESSION},
 * {@link #INITIAL_STATE}, {@link #STATE}, its events and {@link #SESSION_END}. A state
 * may have several lines or none. Times are RFC 3339, because a number of seconds far
 * ahead would be taken for milliseconds.
 */
final class TransferFormat {

	static final String KIND = "kind";

	/** The first line. */
	static final String EXPORT = "export";

	static final String APP_STATE = "appState";

	static final String USER = "user";

	static final String USER_STATE = "userState";

	static final String SESSION = "session";

	/** A line of the own state that a session was created with. */
	static final String INITIAL_STATE = "initialState";

	/**
	 * A line of the own state of a session, and the member that has the keys in every
	 * line of state.
	 */
	static final String STATE = "state";

	static final String EVENT = "event";

	static final String SESSION_END = "sessionEnd";

	/** The last line. Where it is missing, the file was cut. */
	static final String END = "end";

	/** The kinds of lines that belong to the user before them. */
	static final Set<String> BELOW_USER = Set.of(USER_STATE, SESSION, INITIAL_STATE, STATE, EVENT, SESSION_END);

	static final int CURRENT_VERSION = 1;

	static final String VERSION = "version";

	static final String APP_NAME = "appName";

	/** In the first line, there is one only if the export is one user's. */
	static final String USER_ID = "userId";

	static final String EXPORT_TIME = "exportTime";

	static final String SESSION_ID = "sessionId";

	static final String REVISION = "revision";

	static final String DETAILS_REVISION = "detailsRevision";

	static final String CREATE_TIME = "createTime";

	static final String LAST_UPDATE_TIME = "lastUpdateTime";

	/** Of a session that began as a copy of another one. */
	static final String FORKED_FROM = "forkedFrom";

	static final String SEQ = "seq";

	static final String COMMIT_TIME = "commitTime";

	/** In the end of a session that was deleted while it was exported. */
	static final String DELETED = "deleted";

	static final String SESSIONS = "sessions";

	static final String EVENTS = "events";

	private TransferFormat() {
	}

}
