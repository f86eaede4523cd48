package dev.agentsessions.session.transfer;

import java.util.Map;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;

/** Takes what is exported, in the order in which it has to be imported again. */
public interface ExportWriter {

	/** Begins. Until then, nothing has been read, and the export may still be refused. */
	void begin();

	/**
	 * What all users of the app share, keys without prefix; not called if it is nothing.
	 */
	void appState(Map<String, JsonText> state);

	/** Begins a user, to whom belongs what follows. */
	void user(String userId);

	/**
	 * What the sessions of the user share, keys without prefix; not called if it is
	 * nothing.
	 */
	void userState(Map<String, JsonText> state);

	/**
	 * A session with all its events and only its own state.
	 * @param initialState the own state that it was created with
	 * @throws SessionException.NotFound if it is deleted while its events are read
	 */
	void session(Session session, Map<String, JsonText> initialState);

	/** Ends. */
	void end();

}
