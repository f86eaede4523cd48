package dev.agentsessions.postgres.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.memory.IndexedSession.IndexState;

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

}
