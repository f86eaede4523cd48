package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.SearchStatement.TextSearchTypes;
import dev.agentsessions.postgres.memory.SearchStatement.TurnConditions;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn.NearTurn;
import dev.agentsessions.search.Embedder.Vector;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.text.QueryReader.WordQuery;

/** Reads and writes the table {@code said_vectors}. */
@Component
class VectorStatements {

	/** The rows that are in the memory of this program at once. */
	private static final int FETCH_ROWS = 500;

	private static final String TURNS = """
			from said left join said_vectors as vectors on vectors.user_key = said.user_key
			  and vectors.session_key = said.session_key and vectors.turn = said.turn and vectors.model = ?
			where\s""" + TurnConditions.SEARCHED;

	private static final String ALL = "select said.session_key, said.turn, said_at, same, v " + TURNS + " and "
			+ TurnConditions.SELECTED + " and (?::text is null or tokens @@ ?::tsquery)";

	private static final String MISSING = "select said.session_key, said.turn, said_at, same " + TURNS
			+ " and v is null order by said_at desc limit ?";

	/**
	 * Only an event that is still indexed gets a vector. It gets the number that its turn
	 * has when the vector is stored.
	 */
	private static final String INSERT = """
			insert into said_vectors (user_key, session_key, turn, model, v)
			select user_key, session_key, turn, ?, row.v
			from said join unnest(?::int8[], ?::bytea[]) as row (seq, v) using (seq)
			where user_key = ? and session_key = ?
			on conflict (user_key, session_key, turn) do update set model = excluded.model, v = excluded.v
			where said_vectors.model <> excluded.model
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final IndexLocks locks;

	VectorStatements(JdbcTemplate jdbc, Transactions transactions, IndexLocks locks) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.locks = locks;
	}

	/** Compares the vectors of the searched turns with the vector of the query. */
	Compared compare(UUID userKey, SearchedTurns turns, SearchQuery query, WordQuery words, Asked asked) {
		// Only within a transaction are rows fetched in parts
		return this.transactions.read(() -> {
			Comparison comparison = new Comparison(asked.vector());
			this.jdbc.query(ALL, (statement) -> {
				statement.setFetchSize(FETCH_ROWS);
				StatementParameters parameters = SearchStatement.bounded(statement).add(asked.model());
				TurnConditions.addSelected(TurnConditions.addSearched(parameters, userKey, turns), query)
					.addTwice(TextSearchTypes.required(words));
			}, comparison);
			return comparison.result();
		});
	}

	private static RankedTurn turn(ResultSet row) throws SQLException {
		return new RankedTurn(row.getObject("session_key", UUID.class), row.getInt("turn"), null,
				Columns.time(row, "said_at"), row.getLong("same"), 0, 0);
	}

	/** Returns turns without a vector of a model, the newest first. */
	List<RankedTurn> missing(UUID userKey, SearchedTurns turns, String model, int limit) {
		return this.transactions.statement(() -> this.jdbc.query(MISSING,
				(statement) -> TurnConditions.addSearched(new StatementParameters(statement).add(model), userKey, turns)
					.add(limit),
				(row, number) -> turn(row)));
	}

	/** Stores the vectors of turns of a session that are still there. */
	void insert(UUID userKey, UUID sessionKey, String model, List<TurnVector> vectors) {
		this.transactions.write(sessionKey, () -> {
			this.locks.lock(sessionKey);
			return this.jdbc.update(INSERT,
					(statement) -> new StatementParameters(statement).add(model)
						.add("int8", vectors.stream().map(TurnVector::seq).toArray())
						.add("bytea", vectors.stream().map((vector) -> vector.vector().bytes()).toArray(byte[][]::new))
						.addAll(userKey, sessionKey));
		});
	}

	/**
	 * How near turns are to the query.
	 *
	 * @param turns the turns that have a vector
	 * @param complete whether all have one
	 */
	record Compared(List<NearTurn> turns, boolean complete) {

	}

	/**
	 * The vector of a query.
	 *
	 * @param vector the vector
	 * @param model the model that made it
	 */
	record Asked(Vector vector, String model) {

	}

	/** Keeps no vectors, because a user may have 20,000. */
	private static final class Comparison implements RowCallbackHandler {

		private final Vector asked;

		private final List<NearTurn> near = new ArrayList<>();

		private boolean complete = true;

		Comparison(Vector asked) {
			this.asked = asked;
		}

		@Override
		public void processRow(ResultSet row) throws SQLException {
			byte[] bytes = row.getBytes("v");
			this.complete &= bytes != null;
			Vector vector = (bytes != null) ? Vector.ofBytes(bytes) : Vector.NONE;
			if (vector.isComparableTo(this.asked)) {
				this.near.add(new NearTurn(turn(row), vector.cosine(this.asked)));
			}
		}

		Compared result() {
			return new Compared(this.near, this.complete);
		}

	}

	/**
	 * The vector of a turn.
	 *
	 * @param seq the seq of its event
	 * @param vector the vector
	 */
	record TurnVector(long seq, Vector vector) {

	}

}
