package dev.agentsessions.console.list;

import java.time.LocalDate;
import java.util.List;

/**
 * A link that fills the filter of a list.
 *
 * @param name its text
 * @param query its query string
 */
record QuickFilter(String name, String query) {

	private static final int DAYS_OF_WEEK = 7;

	/** Returns links to the sessions with errors of the last days. */
	static List<QuickFilter> errors(LocalDate today) {
		LocalDate yesterday = today.minusDays(1);
		return List.of(new QuickFilter("today", query(today, today)),
				new QuickFilter("yesterday", query(yesterday, yesterday)),
				new QuickFilter("last " + DAYS_OF_WEEK + " days", query(today.minusDays(DAYS_OF_WEEK - 1L), today)));
	}

	private static String query(LocalDate from, LocalDate until) {
		return "?error=true&from=" + from + "&until=" + until;
	}

}
