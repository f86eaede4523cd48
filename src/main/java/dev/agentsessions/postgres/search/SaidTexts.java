package dev.agentsessions.postgres.search;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;

/** Looks up which texts the sessions of a user say. */
@Component
class SaidTexts {

	/** What was said is stored by user, so sessions are joined when it was found. */
	private static final String SAID = "with told as materialized (select distinct session_key, same from said"
			+ " where user_key = ? and same = any (?) and not " + TurnConditions.FORGOTTEN
			+ ") select distinct same from told join sessions using (session_key) where not " + UserSessions.OPTED_OUT
			+ " and " + Sql.LIVE;

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	SaidTexts(Transactions transactions, JdbcTemplate jdbc) {
		this.transactions = transactions;
		this.jdbc = jdbc;
	}

	/** Returns the digests of those of some texts that indexed sessions say. */
	Set<Long> said(UUID userKey, Collection<String> texts) {
		Object[] digests = texts.stream().map(Digests::ofText).toArray();
		return new HashSet<>(this.transactions.statement(() -> this.jdbc.query(SAID,
				(statement) -> new StatementParameters(statement).add(userKey).add("int8", digests).add(userKey),
				(row, number) -> row.getLong("same"))));
	}

}
