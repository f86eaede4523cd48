package dev.agentsessions.postgres.search;

import java.util.List;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeavyReads;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.search.SearchStatement.RankedTurn;
import dev.agentsessions.search.FoundTurns;
import dev.agentsessions.search.SearchProperties;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchStore;
import dev.agentsessions.search.text.WordQuery;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/** Brings the index of a user up to date, and searches it. */
@Component
class PostgresSearchStore implements SearchStore {

	/** Searching more turns than this is a heavy read. */
	private static final int MAX_LIGHT_TURNS = 1000;

	private final UserSessions sessions;

	private final UserIndexer indexer;

	private final SearchStatement statement;

	private final TurnReader reader;

	private final HeavyReads heavyReads;

	private final SearchProperties properties;

	PostgresSearchStore(UserSessions sessions, UserIndexer indexer, SearchStatement statement, TurnReader reader,
			HeavyReads heavyReads, SearchProperties properties) {
		this.sessions = sessions;
		this.indexer = indexer;
		this.statement = statement;
		this.reader = reader;
		this.heavyReads = heavyReads;
		this.properties = properties;
	}

	@Override
	public FoundTurns search(SearchQuery query, WordQuery words) {
		StateOwner user = query.user();
		List<IndexedSession> found = this.sessions.of(ScopeKey.ofApp(user.appName()), ScopeKey.of(user))
			.stream()
			.filter((session) -> query.filter().includes(session.id()))
			.toList();
		List<IndexedSession> indexed = this.indexer.index(found);
		SearchedTurns turns = SearchedTurns.of(indexed, this.properties.maxTurns());
		long missing = indexed.stream().mapToLong(IndexedSession::missing).sum();
		return (turns.turns() <= MAX_LIGHT_TURNS) ? search(query, words, turns, missing)
				: this.heavyReads.run(() -> search(query, words, turns, missing));
	}

	private FoundTurns search(SearchQuery query, WordQuery words, SearchedTurns turns, long missing) {
		if (turns.isEmpty()) {
			return new FoundTurns(List.of(), 0, false, missing);
		}
		UUID userKey = ScopeKey.of(query.user());
		Page<RankedTurn> page = Page.of(this.statement.execute(userKey, turns, query, words), query.limit());
		TurnReader.Turns read = this.reader.read(userKey, page.items(), query.around());
		boolean more = page.more() || read.ranked() < page.items().size();
		return new FoundTurns(read.found(), read.ranked(), more, missing);
	}

}
