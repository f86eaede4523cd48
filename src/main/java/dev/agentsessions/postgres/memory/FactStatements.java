package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.memory.SearchStatement.TextSearchTypes;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.Fact.FactBody;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.text.QueryReader.WordQuery.Word;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.session.SessionDetails.Expiry;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;

/**
 * Reads and writes facts in the table {@code memories}. Does not find facts that have
 * expired.
 */
@Component
class FactStatements {

	private static final String FIND = "select " + FactRow.FACT + " from memories where scope_key = ? and id = ? and "
			+ Sql.LIVE;

	private static final String FIND_FOR_UPDATE = FIND + " for update";

	private static final String LIST = "select " + FactRow.FACT + " from memories where scope_key = ? and " + Sql.LIVE
			+ " and (create_time, id) < (?, ?) order by create_time desc, id desc limit ?";

	private static final String COUNT = "select count(*) from memories where scope_key = ? and " + Sql.LIVE;

	/** Replaces a fact that has expired and is not deleted yet. */
	private static final String INSERT = """
			insert into memories (scope_key, app_key, user_id, scope, id, create_time, update_time, expire_time, said_at,
			  author, analysis, words, same, tokens, body)
			values (?, ?, ?, ?::json, ?, statement_timestamp(), statement_timestamp(),
			  least(?, statement_timestamp() + ? * interval '1 microsecond'), coalesce(?, statement_timestamp()), ?, ?,
			  ?, ?, ?::tsvector, ?::json)
			on conflict (scope_key, id) do update set app_key = excluded.app_key, user_id = excluded.user_id,
			  scope = excluded.scope, create_time = excluded.create_time,
			  update_time = excluded.update_time, expire_time = excluded.expire_time, said_at = excluded.said_at,
			  author = excluded.author, analysis = excluded.analysis, words = excluded.words, same = excluded.same,
			  tokens = excluded.tokens, body = excluded.body
			where memories.expire_time <= excluded.create_time
			returning\s"""
			+ FactRow.FACT;

	private static final String UPDATE = """
			update memories set update_time = statement_timestamp(),
			  expire_time = least(?, statement_timestamp() + ? * interval '1 microsecond'),
			  said_at = coalesce(?, create_time), author = ?, analysis = ?, words = ?, same = ?, tokens = ?::tsvector,
			  body = ?::json
			where scope_key = ? and id = ?
			returning\s""" + FactRow.FACT;

	private static final String DELETE = "delete from memories where scope_key = ? and id = ?";

	private static final String DELETE_ALL = "delete from memories where scope_key = ?";

	/** Reads all facts of the scope; there are few, and this is no search. */
	private static final String SAME = "select " + FactRow.FACT + " from memories where scope_key = ? and same = ? and "
			+ Sql.LIVE + " order by create_time, id limit 1";

	private final JdbcTemplate jdbc;

	FactStatements(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Stores a new fact. Stores and returns none if the scope has the id already. */
	Optional<Fact> insert(MemoryScope scope, String id, @Nullable Expiry expiry, FactRow row) {
		return one(INSERT, (statement) -> {
			StatementParameters parameters = FactRow.addScope(new StatementParameters(statement), scope).add(id);
			row.addTo(addTo(parameters, expiry));
		});
	}

	/** Updates a fact. */
	Optional<Fact> update(UUID scopeKey, String id, @Nullable Expiry expiry, FactRow row) {
		return one(UPDATE,
				(statement) -> row.addTo(addTo(new StatementParameters(statement), expiry)).addAll(scopeKey, id));
	}

	Optional<Fact> find(UUID scopeKey, String id) {
		return one(FIND, (statement) -> new StatementParameters(statement).addAll(scopeKey, id));
	}

	Optional<Fact> findForUpdate(UUID scopeKey, String id) {
		return one(FIND_FOR_UPDATE, (statement) -> new StatementParameters(statement).addAll(scopeKey, id));
	}

	/** Returns the oldest fact that has the same text. */
	Optional<Fact> findSame(UUID scopeKey, FactRow row) {
		return one(SAME,
				(statement) -> new StatementParameters(statement).addAll(scopeKey, Digests.ofText(row.text())));
	}

	/** Returns a page of facts, and one more if more follow. */
	List<Fact> list(FactQuery query) {
		return this.jdbc.query(LIST,
				(statement) -> new StatementParameters(statement).addAll(ScopeKey.of(query.scope()),
						Timestamps.toMicroseconds(query.before()), query.beforeId(), query.limit() + 1L),
				FactRow::fact);
	}

	long count(UUID scopeKey) {
		Long count = this.jdbc.queryForObject(COUNT, Long.class, scopeKey);
		return (count != null) ? count : 0;
	}

	boolean delete(UUID scopeKey, String id) {
		return this.jdbc.update(DELETE, scopeKey, id) > 0;
	}

	/** Returns the number of deleted facts. */
	long deleteAll(UUID scopeKey) {
		return this.jdbc.update(DELETE_ALL, scopeKey);
	}

	private Optional<Fact> one(String sql, PreparedStatementSetter parameters) {
		return DataAccessUtils.optionalResult(this.jdbc.query(sql, parameters, FactRow::fact));
	}

	/** Adds the time and the duration of an expiry; both are null without an expiry. */
	private static StatementParameters addTo(StatementParameters parameters, @Nullable Expiry expiry)
			throws SQLException {
		Instant time = (expiry != null && !expiry.equals(Expiry.NEVER)) ? expiry.expireTime() : null;
		Duration ttl = (expiry != null) ? expiry.ttl() : null;
		return parameters.add(Timestamps.toMicroseconds(time))
			.add((ttl != null) ? Long.valueOf(TimeUnit.NANOSECONDS.toMicros(ttl.toNanos())) : null);
	}

	/**
	 * The columns of {@code memories} that the search needs, with the body.
	 *
	 * @param body the body
	 * @param analysis the version of the analysis
	 * @param text the text
	 * @param words the words of the text
	 */
	record FactRow(FactBody body, int analysis, String text, List<Word> words) {

		/** The columns of a fact. */
		static final String FACT = "id, body, create_time, update_time, expire_time";

		static FactRow of(FactBody body, TextAnalysis analysis) {
			String text = body.said().text();
			return new FactRow(body, analysis.version(), text, analysis.words(text));
		}

		static Fact fact(ResultSet row, int number) throws SQLException {
			return new Fact(Objects.requireNonNull(row.getString("id")),
					new FactBody(JsonObject.parse(Objects.requireNonNull(row.getString("body")))),
					Columns.time(row, "create_time"), Columns.time(row, "update_time"),
					Columns.timeOrNull(row, "expire_time"));
		}

		/** Adds said_at, author, analysis, words, same, tokens and body. */
		StatementParameters addTo(StatementParameters parameters) throws SQLException {
			parameters.add(Timestamps.toMicroseconds(this.body.time()))
				.add(Objects.requireNonNullElse(this.body.author(), ""));
			return addIndexTo(parameters).add(this.body.fields().toJson().text());
		}

		/** Adds analysis, words, same and tokens. */
		StatementParameters addIndexTo(StatementParameters parameters) throws SQLException {
			return parameters.addAll(this.analysis, this.words.size(), Digests.ofText(this.text),
					TextSearchTypes.vector(this.words));
		}

		/** Adds scope_key, app_key, user_id and scope. */
		static StatementParameters addScope(StatementParameters parameters, MemoryScope scope) throws SQLException {
			String names = scope.user().isPresent() ? null : JsonObject.ofTexts(scope.names()).toJson().text();
			return parameters.addAll(ScopeKey.of(scope), ScopeKey.ofApp(scope.appName()), scope.userId(), names);
		}

		/** Reads the columns user_id and scope. */
		static MemoryScope scope(ResultSet row, String appName) throws SQLException {
			Map<String, String> names = Columns.textsOrNull(row, "scope");
			return (names != null) ? new MemoryScope(appName, names)
					: MemoryScope.of(new StateOwner(appName, Objects.requireNonNull(row.getString("user_id"))));
		}

	}

}
