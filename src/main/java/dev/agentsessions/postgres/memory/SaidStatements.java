package dev.agentsessions.postgres.memory;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.memory.SearchStatement.TextSearchTypes;
import dev.agentsessions.postgres.memory.SearchStatement.TurnConditions;
import dev.agentsessions.postgres.memory.UserSessions.IndexedSession.IndexState;
import dev.agentsessions.search.Turn.SaidText;
import dev.agentsessions.search.text.QueryReader.WordQuery.Word;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;

/** Reads and writes the tables {@code said} and {@code said_sessions}. */
@Component
class SaidStatements {

	private static final String INDEXABLE = "select count(*) from sessions where session_key = ? and not "
			+ UserSessions.OPTED_OUT;

	private static final String STATE = "select " + IndexState.COLUMNS
			+ " from said_sessions where user_key = ? and session_key = ?";

	private static final String SAVE = """
			insert into said_sessions (user_key, session_key, analysis, up_to_seq, checked_seq, turns, words)
			values (?, ?, ?, ?, ?, ?, ?)
			on conflict (user_key, session_key) do update set analysis = excluded.analysis, up_to_seq = excluded.up_to_seq,
			  checked_seq = excluded.checked_seq, turns = excluded.turns, words = excluded.words
			""";

	private static final String INSERT = """
			insert into said (user_key, session_key, turn, seq, words, said_at, author, same, tokens)
			select ?, ?, turn, seq, words, said_at, author, same, tokens::tsvector
			from unnest(?::int4[], ?::int8[], ?::int4[], ?::timestamptz[], ?::text[], ?::int8[], ?::text[])
			  as row (turn, seq, words, said_at, author, same, tokens)
			""";

	private static final String DELETE = """
			with vectors as (
			  delete from said_vectors where user_key = ? and session_key = ?)
			delete from said where user_key = ? and session_key = ?
			""";

	private static final String DELETE_STATE = "delete from said_sessions where user_key = ? and session_key = ?";

	/** Texts are stored by user, so sessions are joined after the texts were found. */
	private static final String SAID = "with told as materialized (select distinct session_key, same from said"
			+ " where user_key = ? and same = any (?) and not " + TurnConditions.FORGOTTEN
			+ ") select distinct same from told join sessions using (session_key) where not " + UserSessions.OPTED_OUT
			+ " and " + Sql.LIVE;

	private final JdbcTemplate jdbc;

	SaidStatements(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Whether the session has neither been removed nor opted out. */
	boolean mayIndex(UUID sessionKey) {
		return Long.valueOf(1).equals(this.jdbc.queryForObject(INDEXABLE, Long.class, sessionKey));
	}

	/** Returns the digests of those of some texts that indexed sessions say. */
	Set<Long> said(UUID userKey, Collection<String> texts) {
		Object[] digests = texts.stream().map(Digests::ofText).toArray();
		return new HashSet<>(this.jdbc.query(SAID,
				(statement) -> new StatementParameters(statement).add(userKey).add("int8", digests).add(userKey),
				(row, number) -> row.getLong("same")));
	}

	IndexState state(UUID userKey, UUID sessionKey) {
		return DataAccessUtils
			.optionalResult(this.jdbc.query(STATE, (row, number) -> IndexState.of(row), userKey, sessionKey))
			.orElse(IndexState.NOTHING);
	}

	void save(UUID userKey, UUID sessionKey, IndexState state) {
		this.jdbc.update(SAVE, userKey, sessionKey, state.analysis(), state.upToSeq(), state.checkedSeq(),
				state.turns(), state.words());
	}

	/**
	 * Inserts rows.
	 * @param firstTurn the number of the first row among the turns of the session
	 */
	void insert(UUID userKey, UUID sessionKey, int firstTurn, List<SaidRow> rows) {
		if (!rows.isEmpty()) {
			this.jdbc.update(INSERT,
					(statement) -> new StatementParameters(statement).addAll(userKey, sessionKey)
						.add("int4", IntStream.range(firstTurn, firstTurn + rows.size()).boxed().toArray())
						.add("int8", rows.stream().map(SaidRow::seq).toArray())
						.add("int4", rows.stream().map((row) -> row.words().size()).toArray())
						.add("timestamptz", rows.stream().map(SaidRow::offsetTime).toArray())
						.addTexts(rows, SaidRow::author)
						.add("int8", rows.stream().map((row) -> Digests.ofText(row.text())).toArray())
						.addTexts(rows, (row) -> TextSearchTypes.vector(row.words())));
		}
	}

	/** Deletes the rows of a session, with their vectors. */
	void delete(UUID userKey, UUID sessionKey) {
		this.jdbc.update(DELETE, userKey, sessionKey, userKey, sessionKey);
	}

	/** Deletes the rows of a session, and how far it is indexed. */
	void deleteAll(UUID userKey, UUID sessionKey) {
		this.jdbc.update(DELETE_STATE, userKey, sessionKey);
		delete(userKey, sessionKey);
	}

	/**
	 * The text of an event, before it gets its number among the turns of the session.
	 *
	 * @param seq the seq of the event
	 * @param author its author
	 * @param time the time that its sender gave it
	 * @param text the text
	 * @param words the words of the text
	 */
	record SaidRow(long seq, String author, Instant time, String text, List<Word> words) {

		static SaidRow of(Event event, TextAnalysis analysis) {
			JsonObject body = JsonObject.of(event.body());
			String text = SaidText.of(body).text();
			return new SaidRow(event.seq(), Objects.requireNonNullElse(body.string(EventFields.AUTHOR), ""),
					EventFields.timeOf(body), text, analysis.words(text));
		}

		/** Whether the event says nothing that can be found. */
		boolean isSilent() {
			return this.words.isEmpty();
		}

		/** Returns the time with the precision of the database. */
		@Nullable OffsetDateTime offsetTime() {
			Instant micros = Timestamps.toMicroseconds(this.time);
			return (micros != null) ? micros.atOffset(ZoneOffset.UTC) : null;
		}

	}

}
