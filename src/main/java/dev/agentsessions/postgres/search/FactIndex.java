package dev.agentsessions.postgres.search;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.search.Analyses;
import dev.agentsessions.search.fact.Fact;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.session.StateOwner;

/** What a search needs of facts. */
@Component
class FactIndex {

	/** A search takes at most this number of facts apart again. */
	private static final int MAX_REFRESHED = 500;

	private static final String STATISTICS = """
			select count(*) as count, coalesce(sum(words), 0) as words, count(*) filter (where analysis <> ?) as outdated
			from memories where scope_key = ? and\s"""
			+ Sql.LIVE;

	private static final String OUTDATED = "select " + FactRow.FACT
			+ " from memories where scope_key = ? and analysis <> ? and " + Sql.LIVE + " limit ?";

	/** A fact that has changed since was taken apart when it changed. */
	private static final String REFRESH = """
			update memories set analysis = ?, words = ?, same = ?, tokens = ?::tsvector
			where scope_key = ? and id = ? and update_time = ?
			""";

	private static final String FACTS = "select " + FactRow.FACT
			+ " from memories where scope_key = ? and id = any (?) and " + Sql.LIVE;

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final Analyses analyses;

	FactIndex(Transactions transactions, JdbcTemplate jdbc, Analyses analyses) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.analyses = analyses;
	}

	/** Brings the words of facts up to date, if the analysis has changed, and counts. */
	SearchedFacts upToDate(StateOwner user) {
		TextAnalysis analysis = this.analyses.of(user.appName());
		UUID userKey = ScopeKey.of(user);
		SearchedFacts facts = statistics(userKey, analysis);
		if (facts.outdated() == 0) {
			return facts;
		}
		outdated(userKey, analysis).forEach((fact) -> refresh(userKey, fact, analysis));
		return statistics(userKey, analysis);
	}

	private SearchedFacts statistics(UUID userKey, TextAnalysis analysis) {
		SearchedFacts facts = this.transactions.statement(() -> this.jdbc.queryForObject(STATISTICS,
				(row, number) -> new SearchedFacts(row.getLong("count"), row.getLong("words"), row.getLong("outdated")),
				analysis.version(), userKey));
		return (facts != null) ? facts : SearchedFacts.NONE;
	}

	private List<Fact> outdated(UUID userKey, TextAnalysis analysis) {
		return this.transactions
			.statement(() -> this.jdbc.query(OUTDATED, FactRow::fact, userKey, analysis.version(), MAX_REFRESHED));
	}

	private void refresh(UUID userKey, Fact fact, TextAnalysis analysis) {
		FactRow row = FactRow.of(fact.body(), analysis);
		this.transactions.write(userKey,
				() -> this.jdbc.update(REFRESH,
						(statement) -> row.addIndexTo(new StatementParameters(statement))
							.add(userKey)
							.add(fact.id())
							.add(fact.updateTime())));
	}

	/** Returns those of some facts that are there, by their ids. */
	Map<String, Fact> read(UUID userKey, Collection<String> ids) {
		if (ids.isEmpty()) {
			return Map.of();
		}
		return this.transactions.statement(() -> this.jdbc.query(FACTS,
				(statement) -> new StatementParameters(statement).add(userKey).add("text", ids.toArray()),
				FactRow::fact))
			.stream()
			.collect(Collectors.toMap(Fact::id, Function.identity()));
	}

}
