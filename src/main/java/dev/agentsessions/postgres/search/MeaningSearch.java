package dev.agentsessions.postgres.search;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.search.VectorStatements.Asked;
import dev.agentsessions.postgres.search.VectorStatements.Compared;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.meaning.Embedder;
import dev.agentsessions.search.text.WordQuery;
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
		UUID userKey = FactScopes.key(query.scope());
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

}
