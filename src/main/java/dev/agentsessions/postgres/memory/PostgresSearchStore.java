package dev.agentsessions.postgres.memory;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn;
import dev.agentsessions.postgres.memory.SearchedTurns.SearchedFacts;
import dev.agentsessions.postgres.memory.UserSessions.IndexedSession;
import dev.agentsessions.postgres.memory.UserSessions.SelectedSessions;
import dev.agentsessions.postgres.memory.VectorStatements.Asked;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.FoundTurns;
import dev.agentsessions.search.SearchService.SearchProperties;
import dev.agentsessions.search.SearchService.Store.IndexProgress;
import dev.agentsessions.search.text.QueryReader.WordQuery;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;

/** Brings the index of a user up to date, and searches it. */
@Component
class PostgresSearchStore implements SearchService.Store {

	/**
	 * After this time, a request that indexes an app ends with the next user, and one
	 * that has to know all that a user has said fails.
	 */
	private static final long MAX_NANOS_OF_APP = TimeUnit.SECONDS.toNanos(5);

	/** Searching in more sessions than this is a heavy read. */
	private static final int MAX_LIGHT_SESSIONS = 5000;

	private static final String BEING_INDEXED = "The sessions of the user are being indexed. Please retry.";

	private final Transactions transactions;

	private final SessionRepository users;

	private final SessionKeys keys;

	private final UserSessions sessions;

	private final UserIndexer indexer;

	private final SearchStatement statement;

	private final TurnReader reader;

	private final FactIndex facts;

	private final SaidStatements said;

	private final MeaningSearch meaning;

	private final Lanes lanes;

	private final SearchProperties properties;

	PostgresSearchStore(Transactions transactions, SessionRepository users, SessionKeys keys, UserSessions sessions,
			UserIndexer indexer, SearchStatement statement, TurnReader reader, FactIndex facts, SaidStatements said,
			MeaningSearch meaning, Lanes lanes, SearchProperties properties) {
		this.transactions = transactions;
		this.users = users;
		this.keys = keys;
		this.sessions = sessions;
		this.indexer = indexer;
		this.statement = statement;
		this.reader = reader;
		this.facts = facts;
		this.said = said;
		this.meaning = meaning;
		this.lanes = lanes;
		this.properties = properties;
	}

	@Override
	public FoundTurns search(SearchQuery query, WordQuery words) {
		Optional<Asked> asked = this.meaning.ask(query);
		SelectedSessions few = sessions(query, SearchedTurns.MAX_LIGHT_TURNS, MAX_LIGHT_SESSIONS);
		FoundTurns found = (few.turns() <= SearchedTurns.MAX_LIGHT_TURNS) ? search(query, words, few, asked)
				: this.lanes.heavy()
					.run(() -> search(query, words, sessions(query, this.properties.maxTurns(), Integer.MAX_VALUE),
							asked));
		return found.with(found.missing(), found.events(), this.meaning.isOn() ? asked.isPresent() : null);
	}

	private FoundTurns search(SearchQuery query, WordQuery words, SelectedSessions found, Optional<Asked> asked) {
		List<IndexedSession> indexed = this.indexer.index(found.sessions());
		SearchedFacts facts = query.filter().includesFacts() ? this.facts.upToDate(query.scope()) : SearchedFacts.NONE;
		SearchedTurns turns = SearchedTurns.of(indexed, this.properties.maxTurns()).with(facts);
		FoundTurns all = turns.isLight() ? search(query, words, turns, asked)
				: this.lanes.heavy().run(() -> search(query, words, turns, asked));
		return all.with(found.missing(this.indexer.hideRestarted(indexed)), found.events(), null);
	}

	private SelectedSessions sessions(SearchQuery query, int maxTurns, int maxSessions) {
		return query.scope()
			.user()
			.map((user) -> this.sessions.of(user, query.filter(), maxTurns, maxSessions))
			.orElse(SelectedSessions.NONE);
	}

	@Override
	public boolean index(SessionName name) {
		List<IndexedSession> found = this.keys.read(name, (sessionKey) -> this.sessions.one(name.user(), sessionKey))
			.stream()
			.toList();
		this.indexer.index(found);
		this.meaning.prepare(name.user());
		return !found.isEmpty();
	}

	@Override
	public Set<String> unsaid(StateOwner user, Collection<String> texts) {
		if (!indexAll(user, System.nanoTime() + MAX_NANOS_OF_APP).complete) {
			throw new SessionException.Unavailable(BEING_INDEXED);
		}
		Set<Long> said = this.transactions.statement(() -> this.said.said(ScopeKey.of(user), texts));
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
		boolean complete = false;
		boolean stuck = false;
		while (!complete && !stuck && System.nanoTime() - end < 0) {
			SelectedSessions behind = this.sessions.of(user, Filter.ALL, 0);
			List<IndexedSession> indexed = this.indexer.index(behind.sessions());
			events += Math.max(0, behind.missing() - behind.missing(indexed));
			complete = behind.sessions().size() < UserSessions.MAX_BEHIND && this.indexer.isDone(indexed);
			stuck = !complete && Set.copyOf(behind.sessions()).containsAll(indexed);
		}
		return new Indexed(events, complete, stuck);
	}

	private Optional<String> nextUser(String appName, @Nullable String after) {
		return this.transactions.statement(() -> this.users.nextUser(appName, after));
	}

	private FoundTurns search(SearchQuery query, WordQuery words, SearchedTurns turns, Optional<Asked> asked) {
		if (turns.isEmpty()) {
			return FoundTurns.NONE;
		}
		UUID userKey = ScopeKey.of(query.scope());
		List<RankedTurn> ranked = asked.isPresent() ? this.meaning.page(turns, query, words, asked.get())
				: this.statement.page(userKey, turns, query, words);
		Page<RankedTurn> page = Page.of(ranked, query.limit());
		TurnReader.Turns read = this.reader.read(userKey, page.items(), query.around());
		boolean more = page.more() || read.ranked() < page.items().size();
		return new FoundTurns(read.found(), read.ranked(), more, 0, 0, null);
	}

	/**
	 * The indexed turns of a user.
	 *
	 * @param events the number of events
	 * @param complete whether all of them are indexed
	 * @param stuck whether something keeps the rest from being indexed now
	 */
	private record Indexed(long events, boolean complete, boolean stuck) {

	}

}
