package dev.agentsessions.postgres.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.memory.VectorStatements.TurnVector;
import dev.agentsessions.search.Embedder;
import dev.agentsessions.search.Embedder.EmbeddingException;
import dev.agentsessions.search.FoundTurns.FoundTurn;
import dev.agentsessions.search.SearchProperties;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.Turn;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.search.Vector;
import dev.agentsessions.session.StateOwner;

/** Makes vectors of turns that have none. */
@Component
class VectorFiller {

	/** Maximum number of texts in a request to the model. */
	static final int MAX_BATCH_TURNS = 64;

	private final UserSessions sessions;

	private final VectorStatements vectors;

	private final TurnReader reader;

	private final SearchProperties properties;

	VectorFiller(UserSessions sessions, VectorStatements vectors, TurnReader reader, SearchProperties properties) {
		this.sessions = sessions;
		this.vectors = vectors;
		this.reader = reader;
		this.properties = properties;
	}

	/**
	 * Makes vectors of the newest turns of a user that have none. It has no connection to
	 * the database while the model works.
	 * @return whether there may be further ones
	 * @throws EmbeddingException if the vectors cannot be had now
	 */
	boolean fillNext(StateOwner user, Embedder embedder) {
		UUID userKey = ScopeKey.of(user);
		List<RankedTurn> missing = this.vectors.missing(userKey, searched(user), embedder.model(), MAX_BATCH_TURNS);
		TurnReader.Turns read = this.reader.read(userKey, missing, 0);
		List<Turn> turns = read.found().stream().map(FoundTurn::turn).toList();
		if (turns.isEmpty()) {
			return false;
		}
		List<Vector> made = embedder.texts(turns.stream().map((turn) -> turn.said().text()).toList());
		bySession(turns, made)
			.forEach((session, vectors) -> this.vectors.insert(userKey, session, embedder.model(), vectors));
		return missing.size() == MAX_BATCH_TURNS || read.ranked() < missing.size();
	}

	/** Returns the turns that a search without a filter looks at. */
	private SearchedTurns searched(StateOwner user) {
		int maxTurns = this.properties.maxTurns();
		return SearchedTurns.of(this.sessions.of(user, Filter.ALL, maxTurns).sessions(), maxTurns);
	}

	private static Map<UUID, List<TurnVector>> bySession(List<Turn> turns, List<Vector> vectors) {
		Map<UUID, List<TurnVector>> bySession = new LinkedHashMap<>();
		for (int i = 0; i < turns.size(); i++) {
			TurnId id = TurnId.parse(turns.get(i).id()).orElseThrow();
			bySession.computeIfAbsent(id.sessionKey(), (key) -> new ArrayList<>())
				.add(new TurnVector(id.seq(), vectors.get(i)));
		}
		return bySession;
	}

}
