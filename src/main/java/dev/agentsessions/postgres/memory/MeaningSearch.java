package dev.agentsessions.postgres.memory;

import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn.NearTurn;
import dev.agentsessions.postgres.memory.VectorStatements.Asked;
import dev.agentsessions.postgres.memory.VectorStatements.Compared;
import dev.agentsessions.search.Embedder;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.text.QueryReader.WordQuery;
import dev.agentsessions.session.StateOwner;

/** Ranks turns by their words and by their meaning, if there is an embedding model. */
@Component
class MeaningSearch {

	private final @Nullable Embedder embedder;

	private final SearchStatement words;

	private final VectorStatements vectors;

	private final VectorWorker worker;

	MeaningSearch(ObjectProvider<Embedder> embedder, SearchStatement words, VectorStatements vectors,
			VectorWorker worker) {
		this.embedder = embedder.getIfAvailable();
		this.words = words;
		this.vectors = vectors;
		this.worker = worker;
	}

	boolean isOn() {
		return this.embedder != null;
	}

	/**
	 * Asks the model what a query means; empty without a model, or if it does not answer
	 * in time. Do not call it within a transaction, which would keep its connection.
	 */
	Optional<Asked> ask(SearchQuery query) {
		Embedder model = this.embedder;
		return (model != null) ? model.query(query.text()).map((vector) -> new Asked(vector, model.model()))
				: Optional.empty();
	}

	/** Makes vectors of the turns of a user, later. */
	void prepare(StateOwner user) {
		if (isOn()) {
			this.worker.offer(user);
		}
	}

	/** Returns the best turns, one more than the page has if there are more. */
	List<RankedTurn> page(SearchedTurns turns, SearchQuery query, WordQuery asked, Asked meaning) {
		UUID userKey = ScopeKey.of(query.scope());
		List<RankedTurn> byWords = this.words.all(userKey, turns, query, asked);
		Compared compared = this.vectors.compare(userKey, turns, query, asked, meaning);
		if (!compared.complete()) {
			query.scope().user().ifPresent(this.worker::offer);
		}
		return MeaningRanking.rank(byWords, compared.turns())
			.stream()
			.filter((turn) -> turn.score() >= query.minScore())
			.skip(query.offset())
			.limit(query.limit() + 1L)
			.toList();
	}

	/**
	 * Ranks turns by a sum of how much of the words they have and how near their meaning
	 * is. Ranks instead of scores would lose how far the best turn is ahead.
	 */
	private static final class MeaningRanking {

		private static final double SHARE_OF_WORDS = 0.65;

		/**
		 * A turn without words of the query is a hit if it is nearer than this, where 0
		 * is the farthest turn of the search and 1 the nearest. Cosines of different
		 * models have different ranges.
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

}
