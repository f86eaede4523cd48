package dev.agentsessions.postgres.search;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.EventListReader;
import dev.agentsessions.search.Analyses;
import dev.agentsessions.search.SaidText;
import dev.agentsessions.search.TurnId;
import dev.agentsessions.search.fact.Fact;
import dev.agentsessions.search.fact.FactBody;
import dev.agentsessions.search.fact.FactChange;
import dev.agentsessions.search.fact.FactException;
import dev.agentsessions.search.fact.FactQuery;
import dev.agentsessions.search.fact.FactStore;
import dev.agentsessions.search.fact.NewFact;
import dev.agentsessions.search.fact.StoredFact;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.memory.ResponseMemory;

/** The tables {@code memories} and {@code forgotten}. */
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
			insert into memories (scope_key, id, create_time, update_time, expire_time, said_at, author, analysis, words,
			  same, tokens, body)
			select ?, ?, now, now, now + ? * interval '1 microsecond', coalesce(?, now), ?, ?, ?, ?, ?::tsvector, ?::json
			from (select statement_timestamp() as now) as clock
			on conflict (scope_key, id) do update set create_time = excluded.create_time,
			  update_time = excluded.update_time, expire_time = excluded.expire_time, said_at = excluded.said_at,
			  author = excluded.author, analysis = excluded.analysis, words = excluded.words, same = excluded.same,
			  tokens = excluded.tokens, body = excluded.body
			where memories.expire_time <= statement_timestamp()
			returning\s"""
			+ FactRow.FACT;

	private static final String UPDATE = """
			update memories set update_time = statement_timestamp(),
			  expire_time = case when ? then statement_timestamp() + ? * interval '1 microsecond' else expire_time end,
			  said_at = coalesce(?, create_time), author = ?, analysis = ?, words = ?, same = ?, tokens = ?::tsvector,
			  body = ?::json
			where scope_key = ? and id = ?
			returning\s""" + FactRow.FACT;

	private static final String DELETE = "delete from memories where scope_key = ? and id = ?";

	private static final String OWNS = "select count(*) from sessions where session_key = ? and user_key = ? and "
			+ Sql.LIVE;

	private static final String FORGET = """
			insert into forgotten (scope_key, same, until) values (?, ?, greatest(statement_timestamp(), ?))
			on conflict (scope_key, same) do update set until = greatest(forgotten.until, excluded.until)
			""";

	private static final String DELETED_MEANWHILE = "Another request deletes the memory with this id. Please retry.";

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final Analyses analyses;

	private final EventListReader events;

	private final ResponseMemory memory;

	PostgresFactStore(Transactions transactions, JdbcTemplate jdbc, Analyses analyses, EventListReader events,
			ResponseMemory memory) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.analyses = analyses;
		this.events = events;
		this.memory = memory;
	}

	@Override
	public StoredFact create(StateOwner user, NewFact fact) {
		UUID userKey = ScopeKey.of(user);
		FactRow row = row(user, fact.body());
		return this.transactions.write(userKey, () -> {
			Long count = this.jdbc.queryForObject(COUNT, Long.class, userKey);
			boolean isFull = count != null && count >= MAX_FACTS;
			Optional<Fact> inserted = isFull ? Optional.empty() : insert(userKey, fact, row);
			return inserted.map((created) -> new StoredFact(created, true))
				.orElseGet(() -> replay(userKey, fact, isFull));
		});
	}

	private Optional<Fact> insert(UUID userKey, NewFact fact, FactRow row) {
		return one(INSERT,
				(parameters) -> row.addTo(parameters.add(userKey).add(fact.id()).add(microseconds(fact.ttl()))));
	}

	/** Returns the fact that has the id already. */
	private StoredFact replay(UUID userKey, NewFact fact, boolean isFull) {
		Fact there = find(userKey, fact.id()).orElseThrow(() -> isFull ? new FactException.TooMany(MAX_FACTS)
				: new SessionException.Unavailable(DELETED_MEANWHILE));
		if (!there.body().meansSameAs(fact.body())) {
			throw new FactException.Conflict(fact.id());
		}
		return new StoredFact(there, false);
	}

	@Override
	public Optional<Fact> find(StateOwner user, String id) {
		return this.transactions.statement(() -> find(ScopeKey.of(user), id));
	}

	private Optional<Fact> find(UUID userKey, String id) {
		return one(FACT, (parameters) -> parameters.add(userKey).add(id));
	}

	@Override
	public Page<Fact> list(FactQuery query) {
		return Page.of(this.transactions.statement(() -> this.jdbc.query(LIST,
				(statement) -> new StatementParameters(statement).add(ScopeKey.of(query.user()))
					.add(Timestamps.toMicroseconds(query.before()))
					.add(query.beforeId())
					.add(Long.valueOf(query.limit() + 1L)),
				FactRow::fact)), query.limit());
	}

	@Override
	public Optional<Fact> update(StateOwner user, String id, FactChange change) {
		UUID userKey = ScopeKey.of(user);
		return this.transactions.write(userKey, () -> {
			Optional<Fact> old = one(FACT_FOR_UPDATE, (parameters) -> parameters.add(userKey).add(id));
			return old.flatMap((fact) -> {
				FactRow row = row(user, fact.body().with(change.fields()));
				return one(UPDATE, (parameters) -> row
					.addTo(parameters.add(Boolean.valueOf(change.changesExpiry())).add(microseconds(change.ttl())))
					.add(userKey)
					.add(id));
			});
		});
	}

	@Override
	public void delete(StateOwner user, String id) {
		UUID userKey = ScopeKey.of(user);
		this.transactions.write(userKey, () -> this.jdbc.update(DELETE, userKey, id));
	}

	@Override
	public void forget(StateOwner user, TurnId event) {
		UUID userKey = ScopeKey.of(user);
		Long owned = this.transactions
			.statement(() -> this.jdbc.queryForObject(OWNS, Long.class, event.sessionKey(), userKey));
		if (owned != null && owned > 0) {
			read(event).ifPresent((body) -> forget(userKey, body));
		}
	}

	private void forget(UUID userKey, JsonObject body) {
		long same = Digests.ofText(SaidText.of(body).text());
		Instant time = EventFields.timeOf(body);
		this.transactions.write(userKey,
				() -> this.jdbc.update(FORGET,
						(statement) -> new StatementParameters(statement).add(userKey)
							.add(Long.valueOf(same))
							.add(Timestamps.toMicroseconds(time))));
	}

	private Optional<JsonObject> read(TurnId event) {
		long before = this.memory.taken();
		try {
			EventQuery query = EventQuery.of(false, 1)
				.ofSession(event.sessionKey())
				.between(event.seq() - 1, event.seq() + 1);
			return this.events.chunk(event.sessionKey(), query)
				.map(EventPage::items)
				.flatMap((items) -> items.stream().findFirst())
				.map(Event::body)
				.map((body) -> JsonObject.parse(body.text()));
		}
		finally {
			this.memory.backTo(before);
		}
	}

	private FactRow row(StateOwner user, FactBody body) {
		return FactRow.of(body, this.analyses.of(user.appName()));
	}

	private Optional<Fact> one(String sql, Setter setter) {
		return this.jdbc.query(sql, (statement) -> setter.set(new StatementParameters(statement)), FactRow::fact)
			.stream()
			.findFirst();
	}

	private static @Nullable Long microseconds(@Nullable Duration ttl) {
		return (ttl != null) ? TimeUnit.NANOSECONDS.toMicros(ttl.toNanos()) : null;
	}

	/** Sets the parameters of a statement. */
	private interface Setter {

		void set(StatementParameters parameters) throws SQLException;

	}

}
