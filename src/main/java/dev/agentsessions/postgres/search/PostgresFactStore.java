package dev.agentsessions.postgres.search;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.search.Analyses;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.TurnId;
import dev.agentsessions.search.fact.Fact;
import dev.agentsessions.search.fact.FactBody;
import dev.agentsessions.search.fact.FactChange;
import dev.agentsessions.search.fact.FactDirectory;
import dev.agentsessions.search.fact.FactException;
import dev.agentsessions.search.fact.FactQuery;
import dev.agentsessions.search.fact.FactStore;
import dev.agentsessions.search.fact.NewFact;
import dev.agentsessions.search.fact.StoredFact;
import dev.agentsessions.session.Expiry;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;

/** The facts of each scope in the table {@code memories}. */
@Component
class PostgresFactStore implements FactStore {

	private static final String FACT = "select " + FactRow.FACT + " from memories where scope_key = ? and id = ? and "
			+ Sql.LIVE;

	private static final String FACT_FOR_UPDATE = FACT + " for update";

	private static final String LIST = "select " + FactRow.FACT + " from memories where scope_key = ? and " + Sql.LIVE
			+ " and (create_time, id) < (?, ?) order by create_time desc, id desc limit ?";

	private static final String COUNT = "select count(*) from memories where scope_key = ? and " + Sql.LIVE;

	/** Replaces a fact that has expired and is not deleted yet. */
	private static final String INSERT = """
			insert into memories (scope_key, app_key, user_id, scope, id, create_time, update_time, expire_time, said_at,
			  author, analysis, words, same, tokens, body)
			select ?, ?, ?, ?::json, ?, now, now, coalesce(?, now + ? * interval '1 microsecond'), coalesce(?, now), ?, ?,
			  ?, ?, ?::tsvector, ?::json
			from (select statement_timestamp() as now) as clock
			on conflict (scope_key, id) do update set app_key = excluded.app_key, user_id = excluded.user_id,
			  scope = excluded.scope, create_time = excluded.create_time,
			  update_time = excluded.update_time, expire_time = excluded.expire_time, said_at = excluded.said_at,
			  author = excluded.author, analysis = excluded.analysis, words = excluded.words, same = excluded.same,
			  tokens = excluded.tokens, body = excluded.body
			where memories.expire_time <= statement_timestamp()
			returning\s"""
			+ FactRow.FACT;

	private static final String UPDATE = """
			update memories set update_time = statement_timestamp(),
			  expire_time = case when ? then coalesce(?, statement_timestamp() + ? * interval '1 microsecond')
			    else expire_time end,
			  said_at = coalesce(?, create_time), author = ?, analysis = ?, words = ?, same = ?, tokens = ?::tsvector,
			  body = ?::json
			where scope_key = ? and id = ?
			returning\s""" + FactRow.FACT;

	private static final String DELETE = "delete from memories where scope_key = ? and id = ?";

	private static final String DELETE_ALL = "delete from memories where scope_key = ?";

	/** Reads all facts of the scope; there are few, and this is no search. */
	private static final String SAME = "select " + FactRow.FACT + " from memories where scope_key = ? and same = ? and "
			+ Sql.LIVE + " order by create_time, id limit 1";

	private static final String DELETED_MEANWHILE = "Another request deletes the memory with this id. Please retry.";

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final Analyses analyses;

	private final FactIndex index;

	private final FactDirectory directory;

	private final IndexLocks locks;

	private final ForgottenEvents forgotten;

	PostgresFactStore(Transactions transactions, JdbcTemplate jdbc, Analyses analyses, FactIndex index,
			FactDirectory directory, IndexLocks locks, ForgottenEvents forgotten) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.analyses = analyses;
		this.index = index;
		this.directory = directory;
		this.locks = locks;
		this.forgotten = forgotten;
	}

	@Override
	public StoredFact create(MemoryScope scope, NewFact fact) {
		UUID key = FactScopes.key(scope);
		FactRow row = row(scope, fact.body());
		return this.transactions.write(key, () -> {
			this.locks.lock(key);
			return insertOrReplay(scope, fact, row);
		});
	}

	@Override
	public StoredFact createLocatable(MemoryScope scope, NewFact fact) {
		UUID key = FactScopes.key(scope);
		FactRow row = row(scope, fact.body());
		return this.transactions.write(key, () -> {
			this.locks.lock(FactScopes.keyOfId(scope.appName(), fact.id()));
			if (!List.of(scope).containsAll(this.directory.scopes(scope.appName(), fact.id()))) {
				throw new FactException.Conflict(fact.id());
			}
			this.locks.lock(key);
			return insertOrReplay(scope, fact, row);
		});
	}

	@Override
	public StoredFact remember(MemoryScope scope, NewFact fact) {
		UUID key = FactScopes.key(scope);
		FactRow row = row(scope, fact.body());
		return this.transactions.write(key, () -> {
			this.locks.lock(key);
			return one(SAME, (parameters) -> parameters.add(key).add(Long.valueOf(Digests.ofText(row.text()))))
				.map((same) -> new StoredFact(same, false))
				.orElseGet(() -> insertOrReplay(scope, fact, row));
		});
	}

	private StoredFact insertOrReplay(MemoryScope scope, NewFact fact, FactRow row) {
		UUID key = FactScopes.key(scope);
		boolean isFull = count(key) >= MAX_FACTS;
		Optional<Fact> inserted = isFull ? Optional.empty() : insert(scope, fact, row);
		return inserted.map((created) -> new StoredFact(created, true)).orElseGet(() -> replay(key, fact, isFull));
	}

	private Optional<Fact> insert(MemoryScope scope, NewFact fact, FactRow row) {
		return one(INSERT, (parameters) -> {
			FactScopes.addTo(parameters, scope).add(fact.id());
			row.addTo(addTo(parameters, fact.expiry()));
		});
	}

	/** Returns the fact that has the id already. */
	private StoredFact replay(UUID scopeKey, NewFact fact, boolean isFull) {
		Fact there = find(scopeKey, fact.id()).orElseThrow(() -> isFull ? new FactException.TooMany(MAX_FACTS)
				: new SessionException.Unavailable(DELETED_MEANWHILE));
		if (!there.body().meansSameAs(fact.body())) {
			throw new FactException.Conflict(fact.id());
		}
		return new StoredFact(there, false);
	}

	@Override
	public Optional<Fact> find(MemoryScope scope, String id) {
		return this.transactions.statement(() -> find(FactScopes.key(scope), id));
	}

	@Override
	public Map<String, Fact> findAll(MemoryScope scope, Collection<String> ids) {
		return this.index.read(FactScopes.key(scope), ids);
	}

	private Optional<Fact> find(UUID scopeKey, String id) {
		return one(FACT, (parameters) -> parameters.add(scopeKey).add(id));
	}

	@Override
	public Page<Fact> list(FactQuery query) {
		return Page.of(this.transactions.statement(() -> this.jdbc.query(LIST,
				(statement) -> new StatementParameters(statement).add(FactScopes.key(query.scope()))
					.add(Timestamps.toMicroseconds(query.before()))
					.add(query.beforeId())
					.add(Long.valueOf(query.limit() + 1L)),
				FactRow::fact)), query.limit());
	}

	@Override
	public Optional<Fact> update(MemoryScope scope, String id, FactChange change) {
		UUID scopeKey = FactScopes.key(scope);
		return this.transactions.write(scopeKey, () -> {
			this.locks.lock(scopeKey);
			Optional<Fact> old = one(FACT_FOR_UPDATE, (parameters) -> parameters.add(scopeKey).add(id));
			return old.flatMap((fact) -> {
				FactRow row = row(scope, fact.body().with(change.fields()));
				return one(UPDATE,
						(parameters) -> row
							.addTo(addTo(parameters.add(Boolean.valueOf(change.expiry() != null)), change.expiry()))
							.add(scopeKey)
							.add(id));
			});
		});
	}

	@Override
	public boolean delete(MemoryScope scope, String id) {
		UUID scopeKey = FactScopes.key(scope);
		return this.transactions.write(scopeKey, () -> this.jdbc.update(DELETE, scopeKey, id)) > 0;
	}

	@Override
	public long count(MemoryScope scope) {
		return this.transactions.statement(() -> count(FactScopes.key(scope)));
	}

	private long count(UUID scopeKey) {
		Long count = this.jdbc.queryForObject(COUNT, Long.class, scopeKey);
		return (count != null) ? count : 0;
	}

	@Override
	public long deleteAll(MemoryScope scope) {
		UUID key = FactScopes.key(scope);
		return this.transactions.write(key, () -> this.jdbc.update(DELETE_ALL, key));
	}

	@Override
	public boolean forget(StateOwner user, TurnId event) {
		return this.forgotten.forget(user, event);
	}

	private FactRow row(MemoryScope scope, FactBody body) {
		return FactRow.of(body, this.analyses.of(scope.appName()));
	}

	private Optional<Fact> one(String sql, Setter setter) {
		return this.jdbc.query(sql, (statement) -> setter.set(new StatementParameters(statement)), FactRow::fact)
			.stream()
			.findFirst();
	}

	/** Adds the time and the duration of an expiry; both are null without an expiry. */
	private static StatementParameters addTo(StatementParameters parameters, @Nullable Expiry expiry)
			throws SQLException {
		Instant time = (expiry != null && !expiry.equals(Expiry.NEVER)) ? expiry.expireTime() : null;
		Duration ttl = (expiry != null) ? expiry.ttl() : null;
		return parameters.add(Timestamps.toMicroseconds(time))
			.add((ttl != null) ? Long.valueOf(TimeUnit.NANOSECONDS.toMicros(ttl.toNanos())) : null);
	}

	/** Sets the parameters of a statement. */
	private interface Setter {

		void set(StatementParameters parameters) throws SQLException;

	}

}
