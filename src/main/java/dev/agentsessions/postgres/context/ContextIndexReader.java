package dev.agentsessions.postgres.context;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.context.ContextIndex.HistoryEdit;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventKind;
import dev.agentsessions.session.event.EventLinks;
import dev.agentsessions.session.event.EventMarks;

/**
 * Reads a {@link ContextIndex}: the time and the kind of each event. It reads bodies only
 * of events that rewind or compact, and of events that an older version stored without a
 * kind.
 */
@Component
class ContextIndexReader {

	/** A statement reads the times and kinds of at most this number of events. */
	private static final int MAX_BATCH_EVENTS = 50_000;

	private static final String EVENTS = """
			select seq, kind, date_part('epoch', time) as time from events where session_key = ? and seq > ? and seq <= ?
			""";

	private static final String FIRST_OF_INVOCATIONS = """
			select invocation_id, min(seq) as seq from events where session_key = ? and invocation_id = any (?) and seq <= ?
			group by invocation_id
			""";

	private static final String WAITING = """
			select distinct seq from pending_calls
			where session_key = ? and since_seq <= ? and (closed_seq is null or closed_seq > ?)
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final EventBodies bodies;

	ContextIndexReader(JdbcTemplate jdbc, Transactions transactions, EventBodies bodies) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.bodies = bodies;
	}

	/**
	 * Returns an index with all events up to a revision, of which it reads those that are
	 * not known yet.
	 * @param known the index of the first events
	 * @param revision the seq of the last event
	 * @throws SessionException.NotFound if the session is gone
	 */
	ContextIndex extend(UUID sessionKey, ContextIndex known, int revision) {
		ContextIndex index = known;
		while (index.size() < revision) {
			index = next(sessionKey, index, Math.min(revision, index.size() + MAX_BATCH_EVENTS));
		}
		return index;
	}

	private ContextIndex next(UUID sessionKey, ContextIndex known, int last) {
		int first = known.size() + 1;
		double[] times = new double[last - known.size()];
		short[] kinds = new short[times.length];
		BitSet unknown = SeqRange.between(first, last);
		BitSet missing = SeqRange.between(first, last);
		query(EVENTS, (row) -> {
			int seq = row.getInt("seq");
			missing.clear(seq);
			times[seq - first] = row.getDouble("time");
			kinds[seq - first] = row.getShort("kind");
			unknown.set(seq, row.wasNull());
		}, sessionKey, known.size(), last);
		if (!missing.isEmpty()) {
			throw new SessionException.NotFound();
		}
		this.bodies.oldestFirst(sessionKey, unknown, (event) -> {
			kinds[(int) event.seq() - first] = (short) EventKind.of(event.body());
			return true;
		});
		ContextIndex index = known.with(times, kinds, List.of());
		return known.with(times, kinds,
				edits(sessionKey, index.of(SeqRange.between(first, last), EventKind.REWINDS | EventKind.COMPACTS)));
	}

	private List<HistoryEdit> edits(UUID sessionKey, BitSet seqs) {
		Map<Integer, EventMarks> found = new LinkedHashMap<>();
		this.bodies.oldestFirst(sessionKey, seqs, (event) -> {
			found.put((int) event.seq(), EventMarks.of(event.body()));
			return true;
		});
		Map<String, Integer> first = firstOfInvocations(sessionKey,
				found.values().stream().map(EventMarks::rewindBefore).filter(Objects::nonNull).toList(), seqs.length());
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

	private Map<String, Integer> firstOfInvocations(UUID sessionKey, List<String> ids, int last) {
		Map<String, Integer> first = new HashMap<>();
		if (!ids.isEmpty()) {
			query(FIRST_OF_INVOCATIONS, (row) -> first.put(row.getString("invocation_id"), row.getInt("seq")),
					sessionKey, ids.stream().distinct().toArray(String[]::new), last);
		}
		return first;
	}

	/** Reads the exact times of some events. */
	Map<Integer, Double> exactTimes(UUID sessionKey, BitSet seqs) {
		Map<Integer, Double> times = new HashMap<>();
		this.bodies.oldestFirst(sessionKey, seqs, (event) -> {
			times.put((int) event.seq(), EventLinks.of(event.body()).time());
			return true;
		});
		return times;
	}

	/** Returns the events with calls that waited for an answer at a revision. */
	BitSet waiting(UUID sessionKey, int revision) {
		BitSet waiting = new BitSet();
		query(WAITING, (row) -> waiting.set(row.getInt("seq")), sessionKey, revision, revision);
		return waiting;
	}

	private void query(String sql, RowCallbackHandler handler, Object... parameters) {
		this.transactions.statement(() -> {
			this.jdbc.query(sql, handler, parameters);
			return true;
		});
	}

}
