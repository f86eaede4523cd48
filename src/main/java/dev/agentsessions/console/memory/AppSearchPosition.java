package dev.agentsessions.console.memory;

import java.util.List;

/**
 * How far the search of all users of an app has come.
 *
 * @param after the last user that is done; blank for none
 * @param users the number of users that are done
 * @param hits the number of hits on the pages until here
 * @param failed the number of users that are done although their search failed
 * @param left the number of events of the next user that are not indexed yet,
 * {@link #FAILED} if the search of this user has failed once; 0 before the first attempt
 */
record AppSearchPosition(String after, long users, long hits, long failed, long left) {

	static final AppSearchPosition START = new AppSearchPosition("", 0, 0, 0, 0);

	private static final long FAILED = -1;

	/** Reads a position from a page token. */
	static AppSearchPosition of(List<String> texts) {
		return new AppSearchPosition(texts.get(0), Long.parseLong(texts.get(1)), Long.parseLong(texts.get(2)),
				Long.parseLong(texts.get(3)), Long.parseLong(texts.get(4)));
	}

	String[] texts() {
		return new String[] { this.after, Long.toString(this.users), Long.toString(this.hits),
				Long.toString(this.failed), Long.toString(this.left) };
	}

	AppSearchPosition found(String userId, int hits) {
		return new AppSearchPosition(userId, this.users + 1, this.hits + hits, this.failed, 0);
	}

	/** Leaves out a user, whose search fails again and again. */
	AppSearchPosition skip(String userId) {
		return new AppSearchPosition(userId, this.users + 1, this.hits, this.failed + 1, 0);
	}

	/** Stays before a user whose events are not all indexed yet. */
	AppSearchPosition left(long events) {
		return new AppSearchPosition(this.after, this.users, this.hits, this.failed, events);
	}

	/** Stays before a user whose search has failed. */
	AppSearchPosition fail() {
		return left(FAILED);
	}

	boolean hasFailed() {
		return this.left == FAILED;
	}

}
