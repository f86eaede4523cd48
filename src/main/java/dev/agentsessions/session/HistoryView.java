package dev.agentsessions.session;

/** How much of a history is read. */
public enum HistoryView {

	/** All events. */
	FULL,

	/**
	 * The events from which ADK builds what it shows to a model: without what was
	 * rewound, and without what a summary stands for.
	 */
	CONTEXT

}
