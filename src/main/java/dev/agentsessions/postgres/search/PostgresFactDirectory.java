package dev.agentsessions.postgres.search;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.TurnId;
import dev.agentsessions.search.fact.FactDirectory;
import dev.agentsessions.search.fact.ScopedFact;
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

	private static final String OWNER = "select app_name, user_id from sessions where session_key = ? and " + Sql.LIVE;

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	PostgresFactDirectory(Transactions transactions, JdbcTemplate jdbc) {
		this.transactions = transactions;
		this.jdbc = jdbc;
	}

	@Override
	public List<MemoryScope> scopes(String appName, String id) {
		return this.transactions.statement(() -> this.jdbc.query(SCOPES, (row, number) -> FactScopes.read(row, appName),
				ScopeKey.ofApp(appName), id));
	}

	@Override
	public Optional<StateOwner> owner(TurnId event) {
		return DataAccessUtils.optionalResult(this.transactions.statement(() -> this.jdbc.query(OWNER,
				(row, number) -> new StateOwner(row.getString("app_name"), row.getString("user_id")),
				event.sessionKey())));
	}

	@Override
	public Page<ScopedFact> list(String appName, @Nullable Position after, int limit) {
		return Page.of(
				this.transactions.statement(() -> this.jdbc.query(LIST,
						(statement) -> new StatementParameters(statement).add(ScopeKey.ofApp(appName))
							.add((after != null) ? after.id() : "")
							.add((after != null) ? FactScopes.key(after.scope()) : FIRST_KEY)
							.add(Long.valueOf(limit + 1L)),
						(row, number) -> new ScopedFact(FactScopes.read(row, appName), FactRow.fact(row, number)))),
				limit);
	}

}
