package dev.agentsessions.session.transfer;

import java.util.Map;

import dev.agentsessions.json.JsonText;

/** Where a session goes that is imported. */
interface ImportTarget {

	/** Takes keys of the own state that it was created with. */
	void addInitial(Map<String, JsonText> state);

	/** Takes keys of its own state. */
	void add(Map<String, JsonText> state);

	/** Takes its next event. */
	void add(ImportedEvent event);

	/**
	 * Nothing follows.
	 * @return whether the session is new
	 */
	boolean end();

	/** The rest will not come. */
	void abandon();

}
