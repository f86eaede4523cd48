package dev.agentsessions.postgres.session;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.ContextEventsStatement.EventBodies;
import dev.agentsessions.session.event.EventMarks;
import dev.agentsessions.session.event.EventMarks.EventKind;
import dev.agentsessions.session.event.TimeRange;

/**
 * Reads the few events of a session that rewind or summarise, which have an index of
 * their own.
 */
@Component
public class HistoryEdits {

	private static final String SEQS = """
			select seq from events where session_key = ? and seq > ? and seq <= ? and kind & %d <> 0
			""".formatted(EventKind.CONTEXT_CHANGES);

	private static final String FIRST_OF_INVOCATIONS = """
			select invocation_id, min(seq) as seq from events where session_key = ? and invocation_id = any (?) and seq <= ?
			group by invocation_id
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final EventBodies bodies;

	HistoryEdits(JdbcTemplate jdbc, Transactions transactions, EventBodies bodies) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.bodies = bodies;
	}

	/**
	 * Returns the seqs of the events up to a revision that no rewind takes back.
	 * @throws dev.agentsessions.session.SessionException.NotFound if the session is gone
	 */
	public BitSet live(UUID sessionKey, long revision) {
		return live(read(sessionKey, revision), revision);
	}

	/**
	 * Returns the events up to a revision that no rewind takes back. It goes from the
	 * newest rewind to the oldest, because a rewind may take back an earlier one.
	 */
	static BitSet live(List<HistoryEdit> edits, long revision) {
		BitSet live = SeqRange.between(1, revision);
		for (int index = edits.size() - 1; index >= 0; index--) {
			HistoryEdit edit = edits.get(index);
			if (edit.summarised() == null && live.get(edit.seq())) {
				live.clear(Math.min(edit.first(), edit.seq()), edit.seq() + 1);
			}
		}
		return live;
	}

	/** Whether an event after one revision and up to another rewinds or summarises. */
	boolean areBetween(UUID sessionKey, long after, long revision) {
		return !seqs(sessionKey, after, revision).isEmpty();
	}

	/** Reads the events up to a revision that rewind or summarise, oldest first. */
	List<HistoryEdit> read(UUID sessionKey, long revision) {
		Map<Integer, EventMarks> found = new TreeMap<>();
		this.bodies.oldestFirst(sessionKey, seqs(sessionKey, 0, revision),
				(event) -> found.put((int) event.seq(), EventMarks.of(event.body())));
		Map<String, Integer> first = firstOfInvocations(sessionKey,
				found.values().stream().map(EventMarks::rewindBefore).filter(Objects::nonNull).toList(), revision);
		List<HistoryEdit> edits = new ArrayList<>();
		found.forEach((seq, marks) -> {
			if (marks.rewindBefore() != null) {
				edits.add(new HistoryEdit(seq, first.getOrDefault(marks.rewindBefore(), seq), null));
			}
			else if (marks.compaction() != null) {
				edits.add(new HistoryEdit(seq, seq, marks.compaction()));
			}
		});
		return edits;
	}

	private BitSet seqs(UUID sessionKey, long after, long revision) {
		BitSet seqs = new BitSet();
		this.transactions.statement(() -> this.jdbc.queryForList(SEQS, Integer.class, sessionKey, after, revision))
			.forEach(seqs::set);
		return seqs;
	}

	private Map<String, Integer> firstOfInvocations(UUID sessionKey, List<String> ids, long revision) {
		Map<String, Integer> first = new HashMap<>();
		if (!ids.isEmpty()) {
			this.transactions.statement(() -> this.jdbc.query(FIRST_OF_INVOCATIONS,
					(row, number) -> first.put(row.getString("invocation_id"), row.getInt("seq")), sessionKey,
					ids.stream().distinct().toArray(String[]::new), revision));
		}
		return first;
	}

	/**
	 * An event that rewinds or summarises.
	 *
	 * @param seq its seq
	 * @param first the first event that a rewind takes back; its own seq or a later one
	 * if there is no other
	 * @param summarised the times of the events that a summary replaces; {@code null} for
	 * a rewind
	 */
	record HistoryEdit(int seq, int first, @Nullable TimeRange summarised) {
	}

}
