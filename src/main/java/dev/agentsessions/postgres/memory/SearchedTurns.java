package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.memory.UserSessions.IndexedSession;
import dev.agentsessions.postgres.memory.UserSessions.IndexedSession.IndexState;

/**
 * The turns of a user that a search looks at: the turns of the newest sessions, as many
 * as have a number of turns together, and facts.
 *
 * @param sessionKeys the keys of the sessions
 * @param cutSession the session of which only the newest turns count; {@code null} for
 * none
 * @param cutTurn the first turn of this session that counts
 * @param turns the number of the turns and facts
 * @param meanWords the mean number of words of a turn, at least 1
 */
record SearchedTurns(List<UUID> sessionKeys, @Nullable UUID cutSession, int cutTurn, long turns, double meanWords) {

	/** Searching more turns than this is a heavy read. */
	static final int MAX_LIGHT_TURNS = 1000;

	/** Searching turns with more words than this is a heavy read. */
	private static final int MAX_LIGHT_WORDS = 100_000;

	/**
	 * Selects turns.
	 * @param sessions the sessions, the newest first
	 */
	static SearchedTurns of(List<IndexedSession> sessions, int maxTurns) {
		List<UUID> keys = new ArrayList<>();
		long turns = 0;
		long words = 0;
		for (IndexedSession session : sessions) {
			IndexState index = session.index();
			if (turns < maxTurns && index.turns() > 0) {
				keys.add(session.key());
				turns += index.turns();
				words += index.words();
			}
		}
		double mean = Math.max(1, (double) words / Math.max(1, turns));
		boolean isCut = turns > maxTurns;
		return new SearchedTurns(keys, isCut ? keys.get(keys.size() - 1) : null,
				isCut ? (int) (turns - maxTurns) + 1 : 0, Math.min(turns, maxTurns), mean);
	}

	/** Returns these turns together with facts. */
	SearchedTurns with(SearchedFacts facts) {
		long all = this.turns + facts.count();
		double mean = (this.turns * this.meanWords + facts.words()) / Math.max(1, all);
		return new SearchedTurns(this.sessionKeys, this.cutSession, this.cutTurn, all, Math.max(1, mean));
	}

	/** Whether ranking them takes little time. A word costs the same in any turn. */
	boolean isLight() {
		return this.turns <= MAX_LIGHT_TURNS && this.turns * this.meanWords <= MAX_LIGHT_WORDS;
	}

	boolean isEmpty() {
		return this.turns == 0;
	}

	/**
	 * The facts of a user that a search looks at.
	 *
	 * @param count their number
	 * @param words the number of their words
	 * @param outdated how many of them have words of another analysis
	 */
	record SearchedFacts(long count, long words, long outdated) {

		/** No facts. */
		static final SearchedFacts NONE = new SearchedFacts(0, 0, 0);

	}

	/**
	 * A turn or a fact with its score.
	 *
	 * @param sessionKey the key of its session
	 * @param turn its number among the turns of the session
	 * @param factId the id of the fact; {@code null} for a turn
	 * @param saidAt when it was said
	 * @param textDigest the digest of its text, from the column {@code same}
	 * @param weight what the words of the query that it has weigh together; 0 without
	 * words
	 * @param score 0 to 1
	 */
	record RankedTurn(UUID sessionKey, int turn, @Nullable String factId, Instant saidAt, long textDigest,
			double weight, double score) {

		/** Of turns that say the same, the last one is found. */
		static final Comparator<RankedTurn> BY_TIME = Comparator.comparing(RankedTurn::saidAt)
			.thenComparing(RankedTurn::sessionKey)
			.thenComparing(RankedTurn::turn);

		static final Comparator<RankedTurn> BEST_FIRST = Comparator.comparing(RankedTurn::score)
			.thenComparing(BY_TIME)
			.reversed();

		static RankedTurn of(ResultSet row, int number) throws SQLException {
			return new RankedTurn(row.getObject("session_key", UUID.class), row.getInt("turn"), row.getString("fact"),
					Columns.time(row, "said_at"), row.getLong("same"), row.getDouble("s"), row.getDouble("score"));
		}

		RankedTurn withScore(double other) {
			return new RankedTurn(this.sessionKey, this.turn, this.factId, this.saidAt, this.textDigest, this.weight,
					other);
		}

		/**
		 * A turn that is compared by its meaning.
		 *
		 * @param turn the turn, without a score
		 * @param cosine how near it is to the query, -1 to 1
		 */
		record NearTurn(RankedTurn turn, double cosine) {

		}

	}

}
