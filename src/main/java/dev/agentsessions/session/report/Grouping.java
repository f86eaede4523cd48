package dev.agentsessions.session.report;

import java.util.Locale;

/** What the rows of a {@link UsageReport} stand for. */
public enum Grouping {

	/** Invocations of one session. */
	TURN,

	/** Days of UTC, of the times at which events were stored. */
	DAY,

	/** Users of an app. */
	USER,

	/** Models. */
	MODEL;

	/** Returns the name in requests. */
	public String text() {
		return name().toLowerCase(Locale.ROOT);
	}

}
