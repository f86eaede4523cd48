package dev.agentsessions.session.transfer;

import java.util.Map;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.transfer.ImportedSession.ImportedEvent;

/** The target of one imported session. */
interface ImportTarget {

	/** Adds keys of the own state that the session was created with. */
	void addInitial(Map<String, JsonText> state);

	/** Adds keys of its own state. */
	void add(Map<String, JsonText> state);

	/** Adds its next event. */
	void add(ImportedEvent event);

	/**
	 * Ends the session.
	 * @return whether the session is new
	 */
	boolean end();

	/** Drops an incomplete session. */
	void abandon();

}
