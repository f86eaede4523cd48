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
 * Finds the function calls that events need, back from the newest event: each need
 * belongs to the latest call of its id, as in ADK. An id that is nowhere costs a bounded
 * time. A call that waited is found however long ago it was, and nearly all calls whose
 * answer comes so late did.
 */
@Component
class FunctionCallSearch {

	/** At most this number of characters of events is looked through for calls. */
	static final long SEARCHED = 64 << 20;

	/**
	 * At most this number of ids is looked for. A model sees the answers behind them
	 * without what belongs to them.
	 */
	static final int MOST_IDS = 1000;

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
	 * @param needing the events, all those that call, answer, or are named after a call
	 * @param others further events that have calls, those that were not taken back
	 * @param kept the events for which no summary stands
	 * @param recalled gets the calls for which one stands
	 */
	void recall(UUID sessionKey, BitSet needing, BitSet others, BitSet kept, Map<Integer, RecalledCalls> recalled) {
		Search search = new Search(sessionKey, needing, others, kept, recalled);
		while (search.hasNext()) {
			search.next();
		}
		if (search.room <= 0 && !search.missing.isEmpty()) {
			search.recallPending();
		}
	}

	/** One search. */
	private final class Search {

		private final UUID sessionKey;

		private final BitSet needing;

		private final BitSet others;

		private final BitSet kept;

		private final Map<Integer, RecalledCalls> recalled;

		/** The ids that are needed, and whether by an answer. */
		private final Map<String, Boolean> missing = new HashMap<>();

		private long room = SEARCHED;

		/** The event that was looked at last. */
		private int last = Integer.MAX_VALUE;

		private Search(UUID sessionKey, BitSet needing, BitSet others, BitSet kept,
				Map<Integer, RecalledCalls> recalled) {
			this.sessionKey = sessionKey;
			this.needing = needing;
			this.others = others;
			this.kept = kept;
			this.recalled = recalled;
		}

		private boolean hasNext() {
			return !look().isEmpty();
		}

		/** Others are looked at only while something is missing. */
		private boolean looksAtOthers() {
			return !this.missing.isEmpty() && this.room > 0;
		}

		private BitSet look() {
			BitSet look = looksAtOthers() ? SeqRange.union(this.needing, this.others) : (BitSet) this.needing.clone();
			look.clear(Math.min(this.last, look.length()), look.length());
			return look;
		}

		private void next() {
			boolean all = looksAtOthers();
			FunctionCallSearch.this.bodies.newestFirst(this.sessionKey, look(), (event) -> {
				boolean skips = !all && looksAtOthers() && this.others.nextSetBit((int) event.seq()) >= 0
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
				this.room -= event.body().text().length();
			}
			recall(this.last, links);
		}

		private void need(String id, boolean answer) {
			if (this.missing.size() < MOST_IDS || this.missing.containsKey(id)) {
				this.missing.merge(id, answer, Boolean::logicalOr);
			}
		}

		private void recall(int seq, EventLinks links) {
			for (String id : links.calls()) {
				Boolean answer = this.missing.remove(id);
				if (answer != null && !this.kept.get(seq)) {
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
