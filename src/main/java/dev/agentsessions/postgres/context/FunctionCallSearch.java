package dev.agentsessions.postgres.context;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventLinks;

/**
 * Finds the function calls that events need. It searches back from the newest event: an
 * event needs the latest call with the id, as in ADK. The search is bounded, so that an
 * id without a call costs a bounded time. A call that waited for an answer is found also
 * beyond this bound, and nearly all calls with very late answers are such calls.
 */
@Component
class FunctionCallSearch {

	/** A search reads at most about this number of characters of other events. */
	static final long MAX_SEARCHED_CHARS = 64 << 20;

	/**
	 * A search looks for at most this number of ids. For the answers to further ids, a
	 * model does not see the calls.
	 */
	static final int MAX_IDS = 1000;

	private static final String PENDING = """
			select call_id, max(seq) as seq from pending_calls where session_key = ? and call_id = any (?) group by call_id
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final EventBodies bodies;

	FunctionCallSearch(JdbcTemplate jdbc, Transactions transactions, EventBodies bodies) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.bodies = bodies;
	}

	/**
	 * Finds the calls that some events need.
	 * @param needing the events: those with calls, answers, or a branch or task that is
	 * named after a call
	 * @param others further live events with calls
	 * @param uncovered the events that no summary covers
	 * @param recalled gets the calls of covered events
	 */
	void recall(UUID sessionKey, BitSet needing, BitSet others, BitSet uncovered,
			Map<Integer, RecalledCalls> recalled) {
		Search search = new Search(sessionKey, needing, others, uncovered, recalled);
		while (search.hasNext()) {
			search.next();
		}
		if (search.charsLeft <= 0 && !search.missing.isEmpty()) {
			search.recallPending();
		}
	}

	/** One search. */
	private final class Search {

		private final UUID sessionKey;

		private final BitSet needing;

		private final BitSet others;

		private final BitSet uncovered;

		private final Map<Integer, RecalledCalls> recalled;

		/**
		 * The ids that are needed and not found yet, and whether an answer needs them.
		 */
		private final Map<String, Boolean> missing = new HashMap<>();

		private long charsLeft = MAX_SEARCHED_CHARS;

		/** The seq of the event that was read last. */
		private int last = Integer.MAX_VALUE;

		private Search(UUID sessionKey, BitSet needing, BitSet others, BitSet uncovered,
				Map<Integer, RecalledCalls> recalled) {
			this.sessionKey = sessionKey;
			this.needing = needing;
			this.others = others;
			this.uncovered = uncovered;
			this.recalled = recalled;
		}

		private boolean hasNext() {
			return !nextSeqs().isEmpty();
		}

		/** Whether other events are read: only while calls are missing. */
		private boolean readsOthers() {
			return !this.missing.isEmpty() && this.charsLeft > 0;
		}

		private BitSet nextSeqs() {
			BitSet seqs = readsOthers() ? SeqRange.union(this.needing, this.others) : (BitSet) this.needing.clone();
			seqs.clear(Math.min(this.last, seqs.length()), seqs.length());
			return seqs;
		}

		private void next() {
			boolean all = readsOthers();
			FunctionCallSearch.this.bodies.newestFirst(this.sessionKey, nextSeqs(), (event) -> {
				boolean skips = !all && readsOthers() && this.others.nextSetBit((int) event.seq()) >= 0
						&& this.others.nextSetBit((int) event.seq()) < this.last;
				if (!skips) {
					accept(event);
				}
				return !skips;
			});
		}

		private void accept(Event event) {
			this.last = (int) event.seq();
			EventLinks links = EventLinks.of(event.body());
			if (this.needing.get(this.last)) {
				links.needs().forEach((id) -> need(id, links.answers().contains(id)));
			}
			else {
				this.charsLeft -= event.body().text().length();
			}
			recall(this.last, links);
		}

		private void need(String id, boolean answer) {
			if (this.missing.size() < MAX_IDS || this.missing.containsKey(id)) {
				this.missing.merge(id, answer, Boolean::logicalOr);
			}
		}

		private void recall(int seq, EventLinks links) {
			for (String id : links.calls()) {
				Boolean answer = this.missing.remove(id);
				if (answer != null && !this.uncovered.get(seq)) {
					RecalledCalls calls = this.recalled.computeIfAbsent(seq, (any) -> new RecalledCalls(links.calls()));
					if (answer) {
						calls.answered().add(id);
					}
				}
			}
		}

		private void recallPending() {
			BitSet found = new BitSet();
			FunctionCallSearch.this.transactions.statement(() -> {
				FunctionCallSearch.this.jdbc.query(PENDING, (row) -> {
					found.set(row.getInt("seq"));
				}, this.sessionKey, this.missing.keySet().toArray(String[]::new));
				return true;
			});
			found.and(this.others);
			FunctionCallSearch.this.bodies.oldestFirst(this.sessionKey, found, (event) -> {
				recall((int) event.seq(), EventLinks.of(event.body()));
				return !this.missing.isEmpty();
			});
		}

	}

}
