package dev.agentsessions.console.memory;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.SearchResult;

/**
 * How far a search has come that is not complete. The page requests the next step by
 * itself.
 *
 * @param searched the number of events that are searched
 * @param events the number of all events
 * @param link the page that searches more events
 * @param trigger when the page requests it, for htmx
 */
record SearchProgress(long searched, long events, String link, String trigger) {

	static final String AT_ONCE = "load";

	/** Another request keeps the rest from being indexed, so it needs a moment. */
	static final String LATER = "load delay:2s";

	/**
	 * Returns the progress of a search; {@code null} if it is complete.
	 * @param left the number of events that the step before has left; 0 without one
	 * @param here the page of the search
	 */
	static @Nullable SearchProgress of(SearchResult result, long left, String here) {
		if (result.missing() == 0) {
			return null;
		}
		long searched = Math.max(0, result.events() - result.missing());
		return new SearchProgress(searched, result.events(), here + "&left=" + result.missing(),
				(result.missing() == left) ? LATER : AT_ONCE);
	}

	public String text() {
		return String.format(Locale.ROOT, "%,d of %,d events are searched. The search goes on.", this.searched,
				this.events);
	}

}
