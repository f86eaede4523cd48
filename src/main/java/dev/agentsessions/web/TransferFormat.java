package dev.agentsessions.web;

import java.util.Set;

/**
 * The names in an export. Each line is an object with a kind: first {@link #EXPORT}, then
 * {@link #APP_STATE}, then for each user {@link #USER}, {@link #USER_STATE} and sessions,
 * and last {@link #END}. The artifacts of a session come after it, those of the user
 * after the sessions: each {@link #ARTIFACT} is followed by its {@link #ARTIFACT_CHUNK}s.
 * A session consists of {@link #SESSION}, {@link #INITIAL_STATE}, {@link #STATE}, its
 * events and {@link #SESSION_END}. A state may have several lines or none. Times are RFC
 * 3339, because a number of seconds far in the future would be read as milliseconds.
 */
public final class TransferFormat {

	public static final String KIND = "kind";

	/** The first line. */
	public static final String EXPORT = "export";

	public static final String APP_STATE = "appState";

	public static final String USER = "user";

	public static final String USER_STATE = "userState";

	public static final String SESSION = "session";

	/** A line of the own state with which a session was created. */
	public static final String INITIAL_STATE = "initialState";

	/**
	 * A line of the own state of a session. Also the member with the keys in every line
	 * of state.
	 */
	public static final String STATE = "state";

	public static final String EVENT = "event";

	public static final String SESSION_END = "sessionEnd";

	/** A version of an artifact. */
	public static final String ARTIFACT = "artifact";

	/** Bytes of the version before. */
	public static final String ARTIFACT_CHUNK = "artifactChunk";

	/** The last line. If it is missing, the file is truncated. */
	public static final String END = "end";

	/** The kinds of lines that belong to the user before them. */
	public static final Set<String> BELOW_USER = Set.of(USER_STATE, SESSION, INITIAL_STATE, STATE, EVENT, SESSION_END,
			ARTIFACT, ARTIFACT_CHUNK);

	public static final int CURRENT_VERSION = 1;

	public static final String VERSION = "version";

	public static final String APP_NAME = "appName";

	/** In the first line, present only in the export of one user. */
	public static final String USER_ID = "userId";

	public static final String EXPORT_TIME = "exportTime";

	public static final String SESSION_ID = "sessionId";

	public static final String REVISION = "revision";

	public static final String DETAILS_REVISION = "detailsRevision";

	public static final String CREATE_TIME = "createTime";

	public static final String LAST_UPDATE_TIME = "lastUpdateTime";

	/** Present if the session was forked from another one. */
	public static final String FORKED_FROM = "forkedFrom";

	public static final String SEQ = "seq";

	public static final String COMMIT_TIME = "commitTime";

	/** In the end line of a session that was deleted during the export. */
	public static final String DELETED = "deleted";

	public static final String NAME = "name";

	/** {@code bytes}, {@code text} or {@code reference}. */
	public static final String PART = "part";

	public static final String MIME_TYPE = "mimeType";

	public static final String DISPLAY_NAME = "displayName";

	public static final String FILE_URI = "fileUri";

	public static final String CUSTOM_METADATA = "customMetadata";

	public static final String AFTER_SEQ = "afterSeq";

	/** The number of bytes. */
	public static final String SIZE = "size";

	public static final String DIGEST = "digest";

	/** {@code reference} if the bytes of an artifact do not follow. */
	public static final String CONTENT = "content";

	public static final String REFERENCE = "reference";

	/** Bytes in Base64. */
	public static final String DATA = "data";

	public static final String SESSIONS = "sessions";

	public static final String EVENTS = "events";

	private TransferFormat() {
	}

}
