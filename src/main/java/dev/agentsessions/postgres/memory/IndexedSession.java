package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
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

	/**
	 * How far a session is indexed: a row of {@code said_sessions}.
	 *
	 * @param analysis the version of the analysis of its words
	 * @param upToSeq the seq of the newest event that is indexed
	 * @param checkedSeq the seq of the newest event up to which rewinds are taken into
	 * account
	 * @param turns the number of its turns
	 * @param words the number of the words of these turns
	 */
	record IndexState(int analysis, long upToSeq, long checkedSeq, int turns, long words) {

		static final String COLUMNS = "analysis, up_to_seq, checked_seq, turns, words";

		/** The state of a session of which nothing is indexed. */
		static final IndexState NOTHING = new IndexState(0, 0, 0, 0, 0);

		static IndexState of(ResultSet row) throws SQLException {
			return new IndexState(row.getInt("analysis"), row.getLong("up_to_seq"), row.getLong("checked_seq"),
					row.getInt("turns"), row.getLong("words"));
		}

		/** Whether the session has any rows. */
		boolean isNothing() {
			return equals(NOTHING);
		}

		/** Returns the state in which the index of the session begins anew. */
		IndexState restarted(int newAnalysis, long revision) {
			return new IndexState(newAnalysis, 0, revision, 0, 0);
		}

		/** Returns this state with rewinds taken into account up to a revision. */
		IndexState checked(long revision) {
			return new IndexState(this.analysis, this.upToSeq, Math.max(revision, this.checkedSeq), this.turns,
					this.words);
		}

		/** Returns this state after a part. */
		IndexState after(long seq, int moreTurns, long moreWords) {
			return new IndexState(this.analysis, seq, this.checkedSeq, this.turns + moreTurns, this.words + moreWords);
		}

	}

}
