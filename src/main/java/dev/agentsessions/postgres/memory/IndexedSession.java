package dev.agentsessions.postgres.memory;

import java.util.UUID;

/**
 * A session of a user, and how far it is indexed.
 *
 * @param userKey the key of its user
 * @param key its key
 * @param appName its app
 * @param revision the seq of its newest event
 * @param optedOut whether its label keeps it out of every search
 * @param index how far it is indexed
 */
record IndexedSession(UUID userKey, UUID key, String appName, long revision, boolean optedOut, IndexState index) {

	IndexedSession with(IndexState other) {
		return new IndexedSession(this.userKey, this.key, this.appName, this.revision, this.optedOut, other);
	}

	/** Returns the number of events that are not indexed yet. */
	long missing() {
		return this.optedOut ? 0 : Math.max(0, this.revision - this.index.upToSeq());
	}

	/** Whether there is something to index, with this version of the analysis. */
	boolean isBehind(int analysis) {
		return !this.optedOut && (missing() > 0 || this.revision > 0 && this.index.analysis() != analysis);
	}

	/** Whether rewinds after the indexed events may take back some of them. */
	boolean mayShowRewound() {
		return !this.index.isNothing() && this.index.checkedSeq() < this.revision;
	}

}
