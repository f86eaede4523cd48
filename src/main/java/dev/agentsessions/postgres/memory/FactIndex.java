package dev.agentsessions.postgres.memory;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.FactStatements.FactRow;
import dev.agentsessions.postgres.memory.SearchedTurns.SearchedFacts;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchService.Analyses;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.ResponseHeap;

/** Finds facts for a search. */
@Component
class FactIndex {

	/** A search takes this number of facts into memory to split them into words again. */
	private static final int MAX_BATCH_FACTS = 20;

	/** A search stops indexing facts after this time; the next one continues. */
	private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final String STATISTICS = """
			select count(*) as count, coalesce(sum(words), 0) as words, count(*) filter (where analysis <> ?) as outdated
			from memories where scope_key = ? and\s"""
			+ Sql.LIVE;

	private static final String OUTDATED = "select " + FactRow.FACT
			+ " from memories where scope_key = ? and analysis <> ? and " + Sql.LIVE + " limit ?";

	/**
	 * A change of a fact splits it into words itself, so only an unchanged fact is
	 * updated.
	 */
	private static final String REFRESH = """
			update memories set analysis = ?, words = ?, same = ?, tokens = ?::tsvector
			where scope_key = ? and id = ? and update_time = ?
			""";

	private static final String FACTS = "select " + FactRow.FACT
			+ " from memories where scope_key = ? and id = any (?) and " + Sql.LIVE;

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final Analyses analyses;

	private final ResponseHeap memory;

	FactIndex(Transactions transactions, JdbcTemplate jdbc, Analyses analyses, ResponseHeap memory) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.analyses = analyses;
		this.memory = memory;
	}

	/** Brings the words of facts up to date, if the analysis has changed, and counts. */
	SearchedFacts upToDate(MemoryScope scope) {
		TextAnalysis analysis = this.analyses.of(scope.appName());
		UUID scopeKey = ScopeKey.of(scope);
		SearchedFacts facts = statistics(scopeKey, analysis);
		if (facts.outdated() == 0) {
			return facts;
		}
		refresh(scopeKey, analysis);
		return statistics(scopeKey, analysis);
	}

	/** A search does not wait for a request that keeps a fact locked. */
	private void refresh(UUID scopeKey, TextAnalysis analysis) {
		try {
			long end = System.nanoTime() + MAX_NANOS;
			int count = MAX_BATCH_FACTS;
			while (count == MAX_BATCH_FACTS && System.nanoTime() - end < 0) {
				count = refreshBatch(scopeKey, analysis);
			}
		}
		catch (RowLockedException | SessionException.Unavailable ex) {
			// The facts that are left are found by the words that they have
		}
	}

	/** Returns the number of facts in the batch. */
	private int refreshBatch(UUID scopeKey, TextAnalysis analysis) {
		long before = this.memory.taken();
		List<Fact> facts = this.transactions
			.statement(() -> this.jdbc.query(OUTDATED, FactRow::fact, scopeKey, analysis.version(), MAX_BATCH_FACTS));
		facts.forEach((fact) -> refresh(scopeKey, fact, analysis));
		this.memory.backTo(before);
		return facts.size();
	}

	private SearchedFacts statistics(UUID scopeKey, TextAnalysis analysis) {
		SearchedFacts facts = this.transactions.statement(() -> this.jdbc.queryForObject(STATISTICS,
				(row, number) -> new SearchedFacts(row.getLong("count"), row.getLong("words"), row.getLong("outdated")),
				analysis.version(), scopeKey));
		return (facts != null) ? facts : SearchedFacts.NONE;
	}

	private void refresh(UUID scopeKey, Fact fact, TextAnalysis analysis) {
		FactRow row = FactRow.of(fact.body(), analysis);
		this.transactions.onceDerived(
				() -> this.jdbc.update(REFRESH, (statement) -> row.addIndexTo(new StatementParameters(statement))
					.addAll(scopeKey, fact.id(), fact.updateTime())));
	}

	/** Returns facts by their ids; omits missing ones. */
	Map<String, Fact> read(UUID scopeKey, Collection<String> ids) {
		if (ids.isEmpty()) {
			return Map.of();
		}
		return this.transactions.statement(() -> this.jdbc.query(FACTS,
				(statement) -> new StatementParameters(statement).add(scopeKey).add("text", ids.toArray()),
				FactRow::fact))
			.stream()
			.collect(Collectors.toMap(Fact::id, Function.identity()));
	}

}
