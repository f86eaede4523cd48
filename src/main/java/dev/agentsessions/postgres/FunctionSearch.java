package dev.agentsessions.postgres;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.EventLinks;

/**
 * Looks for function calls, and for their answers, in events that summaries stand for.
 * All ids are looked for at once, from the newest event on, so a call whose answer was
 * stored right after it is found soon. An id that is nowhere costs a bounded time; calls
 * that waited for somebody, which are nearly all whose answer comes so late, are found
 * however long ago they were.
 */
@Component
class FunctionSearch {

	/** So many characters of events at most are looked through for calls or answers. */
	static final long SEARCHED = 64 << 20;

	/**
	 * So many ids at most are looked for. A model sees the answers behind them without
	 * what belongs to them.
	 */
	static final int MOST_IDS = 1000;

	/** For more ids, whatever calls or answers functions is looked at. */
	private static final int FEW_IDS = 16;

	private static final List<String> CALLS = List.of("unctionC", "unction_c");

	private static final List<String> FUNCTIONS = List.of("unctionC", "unction_c", "unctionR", "unction_r");

	/** What JSON mostly writes in one way. */
	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

	private static final String PENDING = """
			select call_id, seq from pending_calls where session_key = ? and call_id = any (?) order by seq
			""";

	private final JdbcTemplate jdbc;

	private final EventPieces pieces;

	private final EventScan scan;

	FunctionSearch(JdbcTemplate jdbc, EventPieces pieces, EventScan scan) {
		this.jdbc = jdbc;
		this.pieces = pieces;
		this.scan = scan;
	}

	/**
	 * For each id of a function call, the latest of some events that calls it; nothing
	 * for an id that is not found.
	 * @param seqs the events
	 */
	Map<String, Integer> latestCalls(UUID sessionKey, BitSet seqs, Collection<String> ids) {
		Set<String> missing = ids.stream().limit(MOST_IDS).collect(Collectors.toSet());
		Map<String, Integer> calls = new HashMap<>();
		if (missing.isEmpty()) {
			return calls;
		}
		this.pieces.newestFirst(sessionKey, seqs, SEARCHED, (piece) -> {
			this.scan.forEach(sessionKey, piece, texts(missing, CALLS), (seq,
					event) -> event.calls().stream().filter(missing::contains).forEach((id) -> calls.put(id, seq)));
			missing.removeAll(calls.keySet());
			return !missing.isEmpty();
		});
		pending(sessionKey, seqs, missing, calls);
		return calls;
	}

	private void pending(UUID sessionKey, BitSet seqs, Set<String> ids, Map<String, Integer> calls) {
		if (!ids.isEmpty()) {
			this.jdbc.query(PENDING,
					(statement) -> new Parameters(statement).add(sessionKey).addTexts(List.copyOf(ids), (id) -> id),
					(row) -> {
						if (seqs.get(row.getInt("seq"))) {
							calls.put(row.getString("call_id"), row.getInt("seq"));
						}
					});
		}
	}

	/**
	 * The answers to the other calls of events some of whose calls are answered: of each
	 * the latest by its own time, as ADK chooses it.
	 * @param seqs the events among which they are
	 * @param answered the ids that are answered, by the events of the calls
	 */
	BitSet answersOfSiblings(UUID sessionKey, BitSet seqs, Map<Integer, Set<String>> answered) {
		Map<String, List<Answer>> wanted = siblings(sessionKey, answered);
		BitSet following = (BitSet) seqs.clone();
		following.clear(0, answered.keySet().stream().mapToInt(Integer::intValue).min().orElse(0));
		if (!wanted.isEmpty()) {
			List<String> texts = texts(wanted.keySet(), FUNCTIONS);
			this.pieces.oldestFirst(sessionKey, following, SEARCHED, (piece) -> {
				this.scan.forEach(sessionKey, piece, texts, (seq, event) -> accept(wanted, seq, event));
				return true;
			});
		}
		BitSet answers = new BitSet();
		wanted.values().stream().flatMap(List::stream).forEach((answer) -> answer.addTo(answers));
		return answers;
	}

	private Map<String, List<Answer>> siblings(UUID sessionKey, Map<Integer, Set<String>> answered) {
		BitSet calls = new BitSet();
		answered.keySet().forEach(calls::set);
		Map<String, List<Answer>> siblings = new HashMap<>();
		this.pieces.oldestFirst(sessionKey, calls, SEARCHED, (piece) -> {
			this.scan.forEach(sessionKey, piece, CALLS, (seq, event) -> event.calls()
				.stream()
				.filter((id) -> !answered.getOrDefault(seq, Set.of()).contains(id))
				.forEach((id) -> siblings.computeIfAbsent(id, (any) -> new ArrayList<>()).add(new Answer(seq, id))));
			return siblings.size() < MOST_IDS;
		});
		return siblings;
	}

	private static void accept(Map<String, List<Answer>> wanted, int seq, EventLinks event) {
		Set<String> ids = new HashSet<>(event.calls());
		ids.addAll(event.answers());
		ids.forEach((id) -> wanted.getOrDefault(id, List.of()).forEach((answer) -> answer.accept(seq, event)));
	}

	/** What stands in events that have one of some ids. */
	private static List<String> texts(Set<String> ids, List<String> all) {
		boolean few = ids.size() <= FEW_IDS && ids.stream().allMatch((id) -> PLAIN.matcher(id).matches());
		return few ? ids.stream().map((id) -> '"' + id + '"').toList() : all;
	}

	/** The latest answer to a call, until another call takes its id. */
	private static final class Answer implements EventScan.EventVisitor {

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
			boolean later = place >= this.call && (this.seq == 0 || event.time() >= this.time);
			if (!this.over && event.answers().contains(this.id) && later) {
				this.seq = place;
				this.time = event.time();
			}
		}

		void addTo(BitSet answers) {
			if (this.seq > 0) {
				answers.set(this.seq);
			}
		}

	}

}
