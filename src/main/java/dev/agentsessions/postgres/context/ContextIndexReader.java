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
import dev.agentsessions.postgres.context.ContextIndex.Mark;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventKind;
import dev.agentsessions.session.event.EventLinks;
import dev.agentsessions.session.event.EventMarks;

/**
 * Reads what decides which events a model sees. Of most events that is their time and
 * their kind; bodies are read of those that rewind or compact, and of those that were
 * stored before there was a kind.
 */
@Component
class ContextIndexReader {

	/** A statement reads the times and kinds of at most this number of events. */
	private static final int EVENTS_OF_PIECE = 50_000;

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
	 * Reads on where an index ends.
	 * @param revision the last event to be known
	 * @throws SessionException.NotFound if the session is gone
	 */
	ContextIndex extend(UUID sessionKey, ContextIndex known, int revision) {
		ContextIndex index = known;
		while (index.size() < revision) {
			index = next(sessionKey, index, Math.min(revision, index.size() + EVENTS_OF_PIECE));
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
				marks(sessionKey, index.of(SeqRange.between(first, last), EventKind.REWINDS | EventKind.COMPACTS)));
	}

	private List<Mark> marks(UUID sessionKey, BitSet seqs) {
		Map<Integer, EventMarks> found = new LinkedHashMap<>();
		this.bodies.oldestFirst(sessionKey, seqs, (event) -> {
			found.put((int) event.seq(), EventMarks.of(event.body()));
			return true;
		});
		Map<String, Integer> first = firstOfInvocations(sessionKey,
				found.values().stream().map(EventMarks::rewindBefore).filter(Objects::nonNull).toList(), seqs.length());
		List<Mark> marks = new ArrayList<>();
		found.forEach((seq, mark) -> {
			if (mark.rewindBefore() != null) {
				marks.add(new Mark(seq, first.getOrDefault(mark.rewindBefore(), seq), null));
			}
			else if (mark.compaction() != null) {
				marks.add(new Mark(seq, seq, mark.compaction()));
			}
		});
		return marks;
	}

	private Map<String, Integer> firstOfInvocations(UUID sessionKey, List<String> ids, int last) {
		Map<String, Integer> first = new HashMap<>();
		if (!ids.isEmpty()) {
			query(FIRST_OF_INVOCATIONS, (row) -> first.put(row.getString("invocation_id"), row.getInt("seq")),
					sessionKey, ids.stream().distinct().toArray(String[]::new), last);
		}
		return first;
	}

	/** The times of some events as they were sent. */
	Map<Integer, Double> exactTimes(UUID sessionKey, BitSet seqs) {
		Map<Integer, Double> times = new HashMap<>();
		this.bodies.oldestFirst(sessionKey, seqs, (event) -> {
			times.put((int) event.seq(), EventLinks.of(event.body()).time());
			return true;
		});
		return times;
	}

	/** The events that have a call that waited for an answer right after an event. */
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
