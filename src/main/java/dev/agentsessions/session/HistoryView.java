package dev.agentsessions.session;

/** How much of the history of a session is read. */
public enum HistoryView {

	/** All events. */
	FULL,

	/**
	 * The events from which ADK builds the context of a model: without rewound events,
	 * and without events that a summary replaces.
	 */
	CONTEXT

}
