package dev.agentsessions.postgres.search;

import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ranks turns by a sum of how much of the words they have and how near their meaning is.
 * Ranks instead of scores would lose how far the best turn is ahead.
 */
final class MeaningRanking {

	private static final double SHARE_OF_WORDS = 0.65;

	/**
	 * A turn without words of the query is a hit if it is nearer than this, where 0 is
	 * the farthest turn of the search and 1 the nearest. Cosines of different models have
	 * different ranges.
	 */
	private static final double MIN_NEARNESS = 0.5;

	/** Maximum number of hits that have no words of the query. */
	private static final int MAX_NEAR = 100;

	private static final Comparator<NearTurn> NEAREST_FIRST = Comparator.comparing(NearTurn::cosine)
		.thenComparing(NearTurn::turn, RankedTurn.BY_TIME)
		.reversed();

	private final DoubleSummaryStatistics cosines;

	private final double heaviest;

	private final Map<Long, Double> nearness = new HashMap<>();

	private MeaningRanking(List<RankedTurn> byWords, List<NearTurn> compared) {
		this.cosines = compared.stream().mapToDouble(NearTurn::cosine).summaryStatistics();
		this.heaviest = byWords.stream().mapToDouble(RankedTurn::weight).max().orElse(1);
		compared.forEach((near) -> this.nearness.merge(near.turn().textDigest(), nearness(near), Math::max));
	}

	/**
	 * Ranks the turns that have words of a query, and the nearest of the others.
	 * @param compared all turns that have a vector
	 */
	static List<RankedTurn> rank(List<RankedTurn> byWords, List<NearTurn> compared) {
		MeaningRanking ranking = new MeaningRanking(byWords, compared);
		Map<Long, RankedTurn> hits = new LinkedHashMap<>();
		byWords.forEach((turn) -> hits.put(turn.textDigest(), turn));
		compared.stream()
			.sorted(NEAREST_FIRST)
			.filter((near) -> ranking.nearness(near) > MIN_NEARNESS)
			.takeWhile((near) -> hits.size() < byWords.size() + MAX_NEAR)
			.forEach((near) -> hits.putIfAbsent(near.turn().textDigest(), near.turn()));
		return hits.values()
			.stream()
			.map((turn) -> turn.withScore(ranking.score(turn)))
			.sorted(RankedTurn.BEST_FIRST)
			.toList();
	}

	private double nearness(NearTurn near) {
		double range = this.cosines.getMax() - this.cosines.getMin();
		if (range == 0) {
			return (near.cosine() > 0) ? 1 : 0;
		}
		return (near.cosine() - this.cosines.getMin()) / range;
	}

	/** A turn without a vector, and a fact, is ranked by its words alone. */
	private double score(RankedTurn turn) {
		double words = turn.weight() / this.heaviest;
		Double near = this.nearness.get(turn.textDigest());
		return (near != null) ? SHARE_OF_WORDS * words + (1 - SHARE_OF_WORDS) * near : words;
	}

}
