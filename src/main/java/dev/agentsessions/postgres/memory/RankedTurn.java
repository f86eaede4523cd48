package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.Columns;

/**
 * A turn or a fact with its score.
 *
 * @param sessionKey the key of its session
 * @param turn its number among the turns of the session
 * @param factId the id of the fact; {@code null} for a turn
 * @param saidAt when it was said
 * @param textDigest the digest of its text, from the column {@code same}
 * @param weight what the words of the query that it has weigh together; 0 without words
 * @param score 0 to 1
 */
record RankedTurn(UUID sessionKey, int turn, @Nullable String factId, Instant saidAt, long textDigest, double weight,
		double score) {

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
