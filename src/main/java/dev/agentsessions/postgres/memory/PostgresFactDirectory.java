package dev.agentsessions.postgres.memory;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.search.FactDirectory;
import dev.agentsessions.search.FactDirectory.ScopedFact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/**
 * The facts of each app, along the index {@code memories_by_app}. Facts of unknown users,
 * which only databases of development versions can have, are not among them.
 */
@Component
class PostgresFactDirectory implements FactDirectory {

	private static final UUID FIRST_KEY = new UUID(0, 0);

	private static final String SCOPES = "select user_id, scope from memories where app_key = ? and id = ? and "
			+ Sql.LIVE + " order by scope_key limit 2";

	private static final String LIST = "select user_id, scope, " + FactRow.FACT
			+ " from memories where app_key = ? and " + Sql.LIVE
			+ " and (id, scope_key) > (?, ?) order by id, scope_key limit ?";

	private final Transactions transactions;

	private final JdbcClient jdbc;

	private final SessionRepository sessions;

	PostgresFactDirectory(Transactions transactions, JdbcClient jdbc, SessionRepository sessions) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.sessions = sessions;
	}

	@Override
	public List<MemoryScope> scopes(String appName, String id) {
		return this.transactions.statement(() -> this.jdbc.sql(SCOPES)
			.params(ScopeKey.ofApp(appName), id)
			.query((row, number) -> FactScopes.read(row, appName))
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
					(after != null) ? FactScopes.key(after.scope()) : FIRST_KEY, limit + 1)
			.query((row, number) -> new ScopedFact(FactScopes.read(row, appName), FactRow.fact(row, number)))
			.list()), limit);
	}

}
