package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ContextState.Compaction;
import dev.agentsessions.session.TimeRange;

/**
 * Keeps what a model sees of each history, in the table {@code event_marks}. A row says
 * from which event on it holds, and up to which, so the view of any earlier moment is
 * there, too, and takes no more room than what has changed since.
 */
@Component
class ContextStates {

	private static final String FIND = """
			select kind, first_seq, last_seq, since_seq, from_time, to_time from event_marks
			where session_key = ? and until_seq > ? and since_seq <= ?
			union all
			(select distinct 'waiting', seq, seq, 0, null::float8, null::float8 from pending_calls
			where session_key = ? and since_seq <= ? and (closed_seq is null or closed_seq > ?))
			""";

	private static final String END = """
			update event_marks set until_seq = ?
			where session_key = ? and until_seq = 9223372036854775807 and since_seq = ? and kind = ? and first_seq = ?
			""";

	private static final String BEGIN = """
			insert into event_marks (session_key, since_seq, kind, first_seq, last_seq, from_time, to_time)
			values (?, ?, ?, ?, ?, ?, ?)
			""";

	private static final int PIECE = 500;

	private final JdbcTemplate jdbc;

	ContextStates(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * What a model saw right after an event, as far as the events before had changed it.
	 */
	ContextState find(UUID sessionKey, long revision) {
		return state(rows(sessionKey, revision));
	}

	/** Keeps what a model sees from an event on. */
	void save(UUID sessionKey, ContextState state, long since) {
		List<Row> there = rows(sessionKey, since).stream().filter((row) -> row.kind != MarkKind.WAITING).toList();
		List<Row> wanted = rows(state, since);
		Set<Row> ended = new HashSet<>(there);
		wanted.forEach(ended::remove);
		List<Row> begun = new ArrayList<>(wanted);
		begun.removeAll(new HashSet<>(there));
		this.jdbc.batchUpdate(END, ended, PIECE,
				(statement, row) -> new Parameters(statement).add(Long.valueOf(since))
					.add(sessionKey)
					.add(Long.valueOf(row.since))
					.add(row.kind.column())
					.add(Long.valueOf(row.first)));
		this.jdbc.batchUpdate(BEGIN, begun, PIECE, (statement, row) -> {
			new Parameters(statement).add(sessionKey)
				.add(Long.valueOf(row.since))
				.add(row.kind.column())
				.add(Long.valueOf(row.first))
				.add(Long.valueOf(row.last));
			statement.setObject(6, (row.times != null) ? row.times.from() : null, Types.DOUBLE);
			statement.setObject(7, (row.times != null) ? row.times.to() : null, Types.DOUBLE);
		});
	}

	private List<Row> rows(UUID sessionKey, long revision) {
		return this.jdbc.query(FIND, (row, number) -> Row.of(row), sessionKey, revision, revision, sessionKey, revision,
				revision);
	}

	private static ContextState state(List<Row> rows) {
		List<Compaction> compactions = rows.stream()
			.filter((row) -> row.kind == MarkKind.COMPACTION && row.times != null)
			.map((row) -> new Compaction(row.first, Objects.requireNonNull(row.times)))
			.toList();
		long upTo = rows.stream().filter((row) -> row.kind != MarkKind.WAITING).mapToLong(Row::since).max().orElse(0);
		return new ContextState(upTo, seqs(rows, MarkKind.REWOUND), seqs(rows, MarkKind.COMPACTED),
				seqs(rows, MarkKind.RECALLED), seqs(rows, MarkKind.WAITING), compactions);
	}

	private static BitSet seqs(List<Row> rows, MarkKind kind) {
		BitSet seqs = new BitSet();
		rows.stream().filter((row) -> row.kind == kind).forEach((row) -> seqs.set((int) row.first, (int) row.last + 1));
		return seqs;
	}

	private static List<Row> rows(ContextState state, long since) {
		List<Row> rows = new ArrayList<>();
		SeqRun.of(state.rewound()).forEach((run) -> rows.add(Row.of(MarkKind.REWOUND, run, since)));
		SeqRun.of(state.compacted()).forEach((run) -> rows.add(Row.of(MarkKind.COMPACTED, run, since)));
		SeqRun.of(state.recalled()).forEach((run) -> rows.add(Row.of(MarkKind.RECALLED, run, since)));
		state.compactions()
			.forEach((summary) -> rows
				.add(new Row(MarkKind.COMPACTION, summary.seq(), summary.seq(), since, summary.times())));
		return rows;
	}

	private enum MarkKind {

		REWOUND, COMPACTED, RECALLED, COMPACTION, WAITING;

		String column() {
			return name().toLowerCase(Locale.ROOT);
		}

		static MarkKind of(String column) {
			return valueOf(column.toUpperCase(Locale.ROOT));
		}

	}

	/** Equal to a row that says the same, since whenever it does. */
	private record Row(MarkKind kind, long first, long last, long since, @Nullable TimeRange times) {

		static Row of(MarkKind kind, SeqRun run, long since) {
			return new Row(kind, run.first(), run.last(), since, null);
		}

		static Row of(ResultSet row) throws SQLException {
			MarkKind kind = MarkKind.of(row.getString("kind"));
			TimeRange times = (kind == MarkKind.COMPACTION)
					? new TimeRange(row.getDouble("from_time"), row.getDouble("to_time")) : null;
			return new Row(kind, row.getLong("first_seq"), row.getLong("last_seq"), row.getLong("since_seq"), times);
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Row row && row.kind == this.kind && row.first == this.first && row.last == this.last
					&& Objects.equals(row.times, this.times);
		}

		@Override
		public int hashCode() {
			return Objects.hash(this.kind, this.first, this.last);
		}

	}

}
