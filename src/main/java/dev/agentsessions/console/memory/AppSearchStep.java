package dev.agentsessions.console.memory;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A step of the search of an app.
 *
 * @param users the users with hits, and those whose search failed
 * @param from where the step began
 * @param until where the next step begins
 * @param unfinished what is known of the user that the next step begins with;
 * {@code null} if this user was not searched yet
 * @param more whether there are further users
 */
record AppSearchStep(List<UserHits> users, AppSearchPosition from, AppSearchPosition until, @Nullable String unfinished,
		boolean more) {

	private static final int MAX_HITS_OF_PAGE = 50;

	/**
	 * Returns whether a page has enough hits, so that the viewer has to ask for more.
	 */
	static boolean isPageFull(AppSearchPosition from, AppSearchPosition until) {
		return from.hits() / MAX_HITS_OF_PAGE < until.hits() / MAX_HITS_OF_PAGE;
	}

	/**
	 * Returns when the page requests the next step, for htmx; {@code null} for never.
	 */
	public @Nullable String trigger() {
		if (!this.more || isPageFull(this.from, this.until)) {
			return null;
		}
		boolean stuck = this.until.hasFailed() || (this.until.left() > 0 && this.until.left() == this.from.left());
		return stuck ? SearchProgress.LATER : SearchProgress.AT_ONCE;
	}

	public String text() {
		String searched = String.format(Locale.ROOT,
				this.more ? "Searched users: %,d." : "Searched users: %,d, all of them.", this.until.users());
		String failed = (this.until.failed() > 0)
				? String.format(Locale.ROOT, " The search of %,d of them failed.", this.until.failed()) : "";
		return searched + failed + ((this.unfinished != null) ? " " + this.unfinished : "") + " " + hits();
	}

	private String hits() {
		if (this.until.hits() > 0) {
			return String.format(Locale.ROOT, "Hits until now: %,d.", this.until.hits());
		}
		return this.more ? "Nothing was found so far." : "Nothing was found.";
	}

}
