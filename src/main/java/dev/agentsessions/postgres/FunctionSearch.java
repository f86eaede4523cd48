package dev.agentsessions.postgres;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.EventLinks;

/**
 * Looks for function calls, and for their answers, in events that summaries stand for.
 * Calls that waited for somebody, which are nearly all whose answer comes so late, are
 * known; others are looked for from the newest event on, so one whose answer was stored
 * right after it is found at once.
 */
@Component
class FunctionSearch {

	/** So many events are looked through at once. */
	private static final int EVENTS_OF_PIECE = 5000;

	private static final String FUNCTION = "unction_?[cCrR]";

	/**
	 * What no JSON writes in two ways, and no regular expression takes for another thing.
	 */
	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

	private static final String PENDING = """
			select seq from pending_calls where session_key = ? and call_id = ? and seq <= ? order by seq desc
			""";

	private final JdbcTemplate jdbc;

	private final EventScan scan;

	FunctionSearch(JdbcTemplate jdbc, EventScan scan) {
		this.jdbc = jdbc;
		this.scan = scan;
	}

	/**
	 * The latest of some events that calls a function with an id.
	 * @param seqs the events
	 */
	OptionalInt latestCall(UUID sessionKey, BitSet seqs, String id) {
		List<Integer> pending = this.jdbc.queryForList(PENDING, Integer.class, sessionKey, id, seqs.length() - 1L);
		OptionalInt call = pending.stream().mapToInt(Integer::intValue).filter(seqs::get).findFirst();
		BitSet piece = SeqRun.preceding(seqs, seqs.length(), EVENTS_OF_PIECE);
		while (call.isEmpty() && !piece.isEmpty()) {
			call = lastCall(sessionKey, piece, id);
			piece = SeqRun.preceding(seqs, piece.nextSetBit(0), EVENTS_OF_PIECE);
		}
		return call;
	}

	private OptionalInt lastCall(UUID sessionKey, BitSet seqs, String id) {
		BitSet calls = new BitSet();
		this.scan.forEach(sessionKey, seqs, EventScan.NEVER, pattern(id), (seq, event) -> {
			if (event.calls().contains(id)) {
				calls.set(seq);
			}
		});
		return calls.isEmpty() ? OptionalInt.empty() : OptionalInt.of(calls.length() - 1);
	}

	/**
	 * The answers to the other calls of events some of whose calls are answered: of each
	 * the latest by its own time, as ADK chooses it.
	 * @param seqs the events among which they are
	 * @param answered the ids that are answered, by the events of the calls
	 */
	BitSet answersOfSiblings(UUID sessionKey, BitSet seqs, Map<Integer, Set<String>> answered) {
		BitSet answers = new BitSet();
		answered.forEach((call, ids) -> {
			Set<String> siblings = new HashSet<>();
			this.scan.forEach(sessionKey, SeqRun.between(call, call), EventScan.NEVER, FUNCTION,
					(seq, event) -> siblings.addAll(event.calls()));
			siblings.removeAll(ids);
			siblings.forEach((id) -> latestAnswer(sessionKey, seqs, call, id).ifPresent(answers::set));
		});
		return answers;
	}

	private OptionalInt latestAnswer(UUID sessionKey, BitSet seqs, int call, String id) {
		BitSet following = (BitSet) seqs.clone();
		following.clear(0, call);
		Answer answer = new Answer(call, id);
		this.scan.forEach(sessionKey, following, EventScan.NEVER, pattern(id), answer);
		return (answer.seq > 0) ? OptionalInt.of(answer.seq) : OptionalInt.empty();
	}

	/**
	 * An id that JSON may write in another way is looked for in all calls and answers.
	 */
	private static String pattern(String id) {
		return PLAIN.matcher(id).matches() ? id : FUNCTION;
	}

	/** The latest answer to a call, until another call takes its id. */
	private static final class Answer implements EventScan.Action {

		private final int call;

		private final String id;

		private int seq;

		private double time;

		private boolean over;

		Answer(int call, String id) {
			this.call = call;
			this.id = id;
		}

		@Override
		public void accept(int place, EventLinks event) {
			this.over |= place > this.call && event.calls().contains(this.id);
			boolean later = this.seq == 0 || event.time() >= this.time;
			if (!this.over && event.answers().contains(this.id) && later) {
				this.seq = place;
				this.time = event.time();
			}
		}

	}

}
