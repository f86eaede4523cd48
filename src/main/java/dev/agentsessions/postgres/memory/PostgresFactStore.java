package dev.agentsessions.postgres.memory;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.FactStatements.FactRow;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.Fact.FactBody;
import dev.agentsessions.search.FactLocator.FactDirectory;
import dev.agentsessions.search.FactLocator.FactDirectory.ScopedFact;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactException;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.FactService.NewFact;
import dev.agentsessions.search.FactService.Store.FactChange;
import dev.agentsessions.search.FactService.Store.StoredFact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchService.Analyses;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionDetails.Expiry;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;

/**
 * The facts of each scope in the table {@code memories}, and the facts of each app, along
 * the index {@code memories_by_app}. Facts of unknown users, which only databases of
 * development versions can have, are not among those of an app.
 */
@Component
class PostgresFactStore implements FactService.Store, FactDirectory {

	private static final String DELETED_MEANWHILE = "Another request deletes the memory with this id. Please retry.";

	private static final String SCOPES = "select user_id, scope from memories where app_key = ? and id = ? and "
			+ Sql.LIVE + " order by scope_key limit 2";

	private static final String LIST = "select user_id, scope, " + FactRow.FACT
			+ " from memories where app_key = ? and " + Sql.LIVE
			+ " and (id, scope_key) > (?, ?) order by id, scope_key limit ?";

	private final Transactions transactions;

	private final JdbcClient jdbc;

	private final SessionRepository sessions;

	private final FactStatements statements;

	private final Analyses analyses;

	private final FactIndex index;

	private final IndexLocks locks;

	private final ForgottenEvents forgotten;

	PostgresFactStore(Transactions transactions, JdbcClient jdbc, SessionRepository sessions, FactStatements statements,
			Analyses analyses, FactIndex index, IndexLocks locks, ForgottenEvents forgotten) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.sessions = sessions;
		this.statements = statements;
		this.analyses = analyses;
		this.index = index;
		this.locks = locks;
		this.forgotten = forgotten;
	}

	@Override
	public StoredFact create(MemoryScope scope, NewFact fact) {
		FactRow row = row(scope, fact.body());
		return writeLocked(ScopeKey.of(scope), () -> insertOrReplay(scope, fact, row));
	}

	@Override
	public StoredFact createLocatable(MemoryScope scope, NewFact fact) {
		UUID key = ScopeKey.of(scope);
		FactRow row = row(scope, fact.body());
		return this.transactions.write(key, () -> {
			this.locks.lock(ScopeKey.ofFact(scope.appName(), fact.id()));
			if (!List.of(scope).containsAll(scopes(scope.appName(), fact.id()))) {
				throw new FactException.Conflict(fact.id());
			}
			this.locks.lock(key);
			return insertOrReplay(scope, fact, row);
		});
	}

	@Override
	public StoredFact remember(MemoryScope scope, NewFact fact) {
		UUID key = ScopeKey.of(scope);
		FactRow row = row(scope, fact.body());
		return writeLocked(key,
				() -> this.statements.findSame(key, row)
					.map((same) -> new StoredFact(same, false))
					.orElseGet(() -> insertOrReplay(scope, fact, row)));
	}

	private <T> T writeLocked(UUID scopeKey, Supplier<T> statements) {
		return this.transactions.write(scopeKey, () -> {
			this.locks.lock(scopeKey);
			return statements.get();
		});
	}

	private StoredFact insertOrReplay(MemoryScope scope, NewFact fact, FactRow row) {
		UUID key = ScopeKey.of(scope);
		boolean isFull = this.statements.count(key) >= MAX_FACTS;
		Optional<Fact> inserted = isFull ? Optional.empty()
				: this.statements.insert(scope, fact.id(), fact.expiry(), row);
		return inserted.map((created) -> new StoredFact(created, true)).orElseGet(() -> replay(key, fact, isFull));
	}

	/** Returns the fact that has the id already. */
	private StoredFact replay(UUID scopeKey, NewFact fact, boolean isFull) {
		Fact there = this.statements.find(scopeKey, fact.id())
			.orElseThrow(() -> isFull ? new FactException.TooMany(MAX_FACTS)
					: new SessionException.Unavailable(DELETED_MEANWHILE));
		if (!there.body().meansSameAs(fact.body())) {
			throw new FactException.Conflict(fact.id());
		}
		return new StoredFact(there, false);
	}

	@Override
	public Optional<Fact> find(MemoryScope scope, String id) {
		return this.transactions.statement(() -> this.statements.find(ScopeKey.of(scope), id));
	}

	@Override
	public Map<String, Fact> findAll(MemoryScope scope, Collection<String> ids) {
		return this.index.read(ScopeKey.of(scope), ids);
	}

	@Override
	public Page<Fact> list(FactQuery query) {
		return Page.of(this.transactions.statement(() -> this.statements.list(query)), query.limit());
	}

	@Override
	public Optional<Fact> update(MemoryScope scope, String id, FactChange change) {
		UUID scopeKey = ScopeKey.of(scope);
		return writeLocked(scopeKey,
				() -> this.statements.findForUpdate(scopeKey, id)
					.flatMap((fact) -> this.statements.update(scopeKey, id, expiry(fact, change),
							row(scope, fact.body().with(change.fields())))));
	}

	private static @Nullable Expiry expiry(Fact fact, FactChange change) {
		Instant old = fact.expireTime();
		return (change.expiry() != null || old == null) ? change.expiry() : Expiry.at(old);
	}

	@Override
	public boolean delete(MemoryScope scope, String id) {
		UUID scopeKey = ScopeKey.of(scope);
		return this.transactions.write(scopeKey, () -> this.statements.delete(scopeKey, id));
	}

	@Override
	public long count(MemoryScope scope) {
		return this.transactions.statement(() -> this.statements.count(ScopeKey.of(scope)));
	}

	@Override
	public long deleteAll(MemoryScope scope) {
		UUID key = ScopeKey.of(scope);
		return this.transactions.write(key, () -> this.statements.deleteAll(key));
	}

	@Override
	public boolean forget(StateOwner user, TurnId event) {
		return this.forgotten.forget(user, event);
	}

	@Override
	public List<MemoryScope> scopes(String appName, String id) {
		return this.transactions.statement(() -> this.jdbc.sql(SCOPES)
			.params(ScopeKey.ofApp(appName), id)
			.query((row, number) -> FactRow.scope(row, appName))
			.list());
	}

	@Override
	public Optional<StateOwner> owner(TurnId event) {
		return this.transactions.statement(() -> this.sessions.find(event.sessionKey()))
			.map((session) -> session.name().user());
	}

	@Override
	public Page<ScopedFact> list(String appName, @Nullable Position after, int limit) {
		return Page.of(this.transactions.statement(() -> this.jdbc.sql(LIST)
			.params(ScopeKey.ofApp(appName), (after != null) ? after.id() : "",
					(after != null) ? ScopeKey.of(after.scope()) : ScopeKey.FIRST, limit + 1)
			.query((row, number) -> new ScopedFact(FactRow.scope(row, appName), FactRow.fact(row, number)))
			.list()), limit);
	}

	private FactRow row(MemoryScope scope, FactBody body) {
		return FactRow.of(body, this.analyses.of(scope.appName()));
	}

}
