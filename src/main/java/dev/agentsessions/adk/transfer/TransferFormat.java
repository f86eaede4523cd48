package dev.agentsessions.adk.transfer;

import java.util.Set;

/**
 * The names in an export. Each line is an object with a kind: first {@link #EXPORT}, then
 * {@link #APP_STATE}, then for each user {@link #USER}, {@link #USER_STATE} and sessions,
 * and last {@link #END}. A session consists of {@link #SESSION}, {@link #INITIAL_STATE},
 * {@link #STATE}, its events and {@link #SESSION_END}. A state may have several lines or
 * none. Times are RFC 3339, because a number of seconds far in the future would be read
 * as milliseconds.
 */
final class TransferFormat {

	static final String KIND = "kind";

	/** The first line. */
	static final String EXPORT = "export";

	static final String APP_STATE = "appState";

	static final String USER = "user";

	static final String USER_STATE = "userState";

	static final String SESSION = "session";

	/** A line of the own state with which a session was created. */
	static final String INITIAL_STATE = "initialState";

	/**
	 * A line of the own state of a session. Also the member with the keys in every line
	 * of state.
	 */
	static final String STATE = "state";

	static final String EVENT = "event";

	static final String SESSION_END = "sessionEnd";

	/** The last line. If it is missing, the file is truncated. */
	static final String END = "end";

	/** The kinds of lines that belong to the user before them. */
	static final Set<String> BELOW_USER = Set.of(USER_STATE, SESSION, INITIAL_STATE, STATE, EVENT, SESSION_END);

	static final int CURRENT_VERSION = 1;

	static final String VERSION = "version";

	static final String APP_NAME = "appName";

	/** In the first line, present only in the export of one user. */
	static final String USER_ID = "userId";

	static final String EXPORT_TIME = "exportTime";

	static final String SESSION_ID = "sessionId";

	static final String REVISION = "revision";

	static final String DETAILS_REVISION = "detailsRevision";

	static final String CREATE_TIME = "createTime";

	static final String LAST_UPDATE_TIME = "lastUpdateTime";

	/** Present if the session was forked from another one. */
	static final String FORKED_FROM = "forkedFrom";

	static final String SEQ = "seq";

	static final String COMMIT_TIME = "commitTime";

	/** In the end line of a session that was deleted during the export. */
	static final String DELETED = "deleted";

	static final String SESSIONS = "sessions";

	static final String EVENTS = "events";

	private TransferFormat() {
	}

}
