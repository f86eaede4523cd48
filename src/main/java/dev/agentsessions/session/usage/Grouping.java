package dev.agentsessions.session.usage;

/** What the rows of a {@link UsageReport} stand for. */
public enum Grouping {

	/** Invocations of one session. */
	TURN,

	/** Days of UTC, of the times that senders gave their events. */
	DAY,

	/** Users of an app. */
	USER,

	/** Models. */
	MODEL

}
