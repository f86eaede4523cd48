package dev.agentsessions.postgres.search;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeavyReads;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.search.VectorStatements.Asked;
import dev.agentsessions.postgres.session.UserIndexStatements;
import dev.agentsessions.search.FoundTurns;
import dev.agentsessions.search.IndexProgress;
import dev.agentsessions.search.SearchProperties;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchStore;
import dev.agentsessions.search.text.WordQuery;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;

/** Brings the index of a user up to date, and searches it. */
@Component
class PostgresSearchStore implements SearchStore {

	/** Searching more turns than this is a heavy read. */
	private static final int MAX_LIGHT_TURNS = 1000;

	/**
	 * After this time, a request that indexes an app ends with the next user, and one
	 * that has to know all that a user has said fails.
	 */
	private static final long MAX_NANOS_OF_APP = TimeUnit.SECONDS.toNanos(5);

	private static final String BEING_INDEXED = "The sessions of the user are being indexed. Please retry.";

	private final Transactions transactions;

	private final UserIndexStatements users;

	private final UserSessions sessions;

	private final UserIndexer indexer;

	private final SearchStatement statement;

	private final TurnReader reader;

	private final FactIndex facts;

	private final SaidTexts said;

	private final MeaningSearch meaning;

	private final HeavyReads heavyReads;

	private final SearchProperties properties;

	PostgresSearchStore(Transactions transactions, UserIndexStatements users, UserSessions sessions,
			UserIndexer indexer, SearchStatement statement, TurnReader reader, FactIndex facts, SaidTexts said,
			MeaningSearch meaning, HeavyReads heavyReads, SearchProperties properties) {
		this.transactions = transactions;
		this.users = users;
		this.sessions = sessions;
		this.indexer = indexer;
		this.statement = statement;
		this.reader = reader;
		this.facts = facts;
		this.said = said;
		this.meaning = meaning;
		this.heavyReads = heavyReads;
		this.properties = properties;
	}

	@Override
	public FoundTurns search(SearchQuery query, WordQuery words) {
		Optional<Asked> asked = this.meaning.ask(query);
		List<IndexedSession> found = query.scope()
			.user()
			.stream()
			.flatMap(this::sessions)
			.filter((session) -> query.filter().includes(session.id()))
			.toList();
		List<IndexedSession> indexed = this.indexer.index(found);
		SearchedFacts facts = query.filter().includesFacts() ? this.facts.upToDate(query.scope()) : SearchedFacts.NONE;
		SearchedTurns turns = SearchedTurns.of(indexed, this.properties.maxTurns()).with(facts);
		FoundTurns all = (turns.turns() <= MAX_LIGHT_TURNS) ? search(query, words, turns, asked)
				: this.heavyReads.run(() -> search(query, words, turns, asked));
		return all.with(missing(this.indexer.hideRestarted(indexed)), this.meaning.isOn() ? asked.isPresent() : null);
	}

	@Override
	public boolean index(SessionKey key) {
		List<IndexedSession> found = sessions(key.user()).filter((session) -> session.id().equals(key.sessionId()))
			.toList();
		this.indexer.index(found);
		this.meaning.prepare(key.user());
		return !found.isEmpty();
	}

	@Override
	public Set<String> unsaid(StateOwner user, Collection<String> texts) {
		if (!indexAll(user, System.nanoTime() + MAX_NANOS_OF_APP).complete) {
			throw new SessionException.Unavailable(BEING_INDEXED);
		}
		List<UUID> searched = sessions(user).filter((session) -> !session.optedOut()).map(IndexedSession::key).toList();
		Set<Long> said = this.said.said(ScopeKey.of(user), searched, texts);
		Set<String> unsaid = new LinkedHashSet<>(texts);
		unsaid.removeIf((text) -> said.contains(Digests.ofText(text)));
		return unsaid;
	}

	@Override
	public IndexProgress index(String appName, @Nullable String after) {
		long end = System.nanoTime() + MAX_NANOS_OF_APP;
		int users = 0;
		long events = 0;
		String last = after;
		boolean stuck = false;
		Optional<String> next = nextUser(appName, last);
		while (next.isPresent() && !stuck && System.nanoTime() - end < 0) {
			Indexed indexed = indexAll(new StateOwner(appName, next.get()), end);
			stuck = indexed.stuck;
			events += indexed.events;
			if (indexed.complete) {
				this.meaning.prepare(new StateOwner(appName, next.get()));
				users++;
				last = next.get();
				next = nextUser(appName, last);
			}
		}
		if (stuck && users == 0 && events == 0) {
			throw new SessionException.Unavailable(BEING_INDEXED);
		}
		return new IndexProgress(users, events, last, next.isPresent());
	}

	/** Indexes all that a user has said, until a time, or until it gets no further. */
	private Indexed indexAll(StateOwner user, long end) {
		long events = 0;
		long missing = Long.MAX_VALUE;
		boolean stuck = false;
		while (missing > 0 && !stuck && System.nanoTime() - end < 0) {
			List<IndexedSession> found = sessions(user).toList();
			List<IndexedSession> indexed = this.indexer.index(found);
			missing = missing(indexed);
			events += Math.max(0, missing(found) - missing);
			stuck = missing > 0 && Set.copyOf(found).containsAll(indexed);
		}
		return new Indexed(events, missing == 0, stuck);
	}

	private Stream<IndexedSession> sessions(StateOwner user) {
		return this.sessions.of(ScopeKey.ofApp(user.appName()), ScopeKey.of(user)).stream();
	}

	private Optional<String> nextUser(String appName, @Nullable String after) {
		return this.transactions.statement(() -> this.users.nextUser(appName, after));
	}

	private static long missing(List<IndexedSession> sessions) {
		return sessions.stream().mapToLong(IndexedSession::missing).sum();
	}

	private FoundTurns search(SearchQuery query, WordQuery words, SearchedTurns turns, Optional<Asked> asked) {
		if (turns.isEmpty()) {
			return FoundTurns.NONE;
		}
		UUID userKey = FactScopes.key(query.scope());
		List<RankedTurn> ranked = asked.isPresent() ? this.meaning.page(turns, query, words, asked.get())
				: this.statement.page(userKey, turns, query, words);
		Page<RankedTurn> page = Page.of(ranked, query.limit());
		TurnReader.Turns read = this.reader.read(userKey, page.items(), query.around());
		boolean more = page.more() || read.ranked() < page.items().size();
		return new FoundTurns(read.found(), read.ranked(), more, 0, null);
	}

	/**
	 * What was indexed of a user.
	 *
	 * @param events the number of events
	 * @param complete whether all of them are indexed
	 * @param stuck whether something keeps the rest from being indexed now
	 */
	private record Indexed(long events, boolean complete, boolean stuck) {

	}

}
