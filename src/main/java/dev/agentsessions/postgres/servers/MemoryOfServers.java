package dev.agentsessions.postgres.servers;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.search.FactLocator.FactDirectory;
import dev.agentsessions.search.FactLocator.FactDirectory.Position;
import dev.agentsessions.search.FactLocator.FactDirectory.ScopedFact;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactException;
import dev.agentsessions.search.FactService.NewFact;
import dev.agentsessions.search.FactService.Store.StoredFact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.Store.IndexProgress;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/** Facts and the index of the users of all servers. */
@Component
@OnSeveralServers
class MemoryOfServers {

	private static final Comparator<ScopedFact> BY_ID = Comparator
		.comparing((ScopedFact fact) -> fact.fact().id(), ScopeKey.ORDER_OF_NAMES)
		.thenComparing((fact) -> ScopeKey.of(fact.scope()), ScopeKey.ORDER);

	private final Servers servers;

	private final Buckets buckets;

	private final MergedAnswers answers;

	private final MainLocks locks;

	MemoryOfServers(Servers servers, Buckets buckets, MergedAnswers answers, MainLocks locks) {
		this.servers = servers;
		this.buckets = buckets;
		this.answers = answers;
		this.locks = locks;
	}

	/** Its id is looked up on the other servers while no other creation has it. */
	StoredFact createLocatable(MemoryScope scope, NewFact fact) {
		Server server = this.buckets.of(ScopeKey.of(scope));
		long number = ScopeKey.ofFact(scope.appName(), fact.id()).getLeastSignificantBits();
		return this.locks.locked(number, (lock) -> {
			boolean taken = this.buckets.readOfSeveral(() -> located(scope.appName(), fact.id())
				.anyMatch((found) -> this.buckets.of(ScopeKey.of(found)) != server));
			if (taken) {
				throw new FactException.Conflict(fact.id());
			}
			return server.store(FactService.Store.class).createLocatable(scope, fact);
		});
	}

	private Stream<MemoryScope> located(String appName, String id) {
		return this.answers.all(FactDirectory.class, (facts) -> facts.scopes(appName, id), ScopeKey::of);
	}

	List<MemoryScope> scopes(String appName, String id) {
		return located(appName, id).limit(2).toList();
	}

	Optional<StateOwner> owner(TurnId event) {
		return this.answers.all(FactDirectory.class, (facts) -> facts.owner(event).stream().toList(), ScopeKey::of)
			.findFirst();
	}

	Page<ScopedFact> list(String appName, @Nullable Position after, int limit) {
		return this.answers.page(FactDirectory.class,
				(facts, last) -> facts.list(appName,
						(last != null) ? new Position(last.fact().id(), last.scope()) : after, limit),
				(fact) -> ScopeKey.of(fact.scope()), BY_ID, limit);
	}

	/** Users after the one that the slowest server has reached are indexed again. */
	IndexProgress index(String appName, @Nullable String after) {
		List<IndexProgress> all = this.servers.ask(SearchService.Store.class, (store) -> store.index(appName, after));
		List<IndexProgress> going = all.stream().filter(IndexProgress::more).toList();
		Comparator<String> byKey = ScopeKey.orderOfUsers(appName);
		Stream<String> reached = (going.isEmpty() ? all : going).stream()
			.flatMap((progress) -> Stream.ofNullable(progress.lastUser()));
		Optional<String> last = going.isEmpty() ? reached.max(byKey) : reached.min(byKey);
		return new IndexProgress(all.stream().mapToInt(IndexProgress::users).sum(),
				all.stream().mapToLong(IndexProgress::events).sum(), last.orElse(after), !going.isEmpty());
	}

}
