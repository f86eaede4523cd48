package dev.agentsessions.session.transfer;

import java.util.Map;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;

/** Writes an export, in the order of an import. */
public interface ExportWriter {

	/**
	 * Begins the export. Until then nothing has been read, and the export may still be
	 * refused.
	 */
	void begin();

	/**
	 * Writes the state that all users of the app share, keys without prefix; not called
	 * if there is none.
	 */
	void appState(Map<String, JsonText> state);

	/** Begins a user; all that follows belongs to this user. */
	void user(String userId);

	/**
	 * Writes the state that the sessions of the user share, keys without prefix; not
	 * called if there is none.
	 */
	void userState(Map<String, JsonText> state);

	/**
	 * Writes a session with all its events and only its own state.
	 * @param initialState the own state that it was created with
	 * @throws SessionException.NotFound if it is deleted while its events are read
	 */
	void session(Session session, Map<String, JsonText> initialState);

	/** Writes a version of an artifact of the session or the user before. */
	void artifact(TransferredArtifact artifact, boolean withBytes);

	/** Writes the next bytes of the version before. */
	void artifactBytes(byte[] bytes);

	/** Says that the version before was deleted while its bytes were read. */
	void artifactDeleted();

	/** Ends the export. */
	void end();

}
