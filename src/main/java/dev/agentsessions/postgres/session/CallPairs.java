package dev.agentsessions.postgres.session;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.session.ContextEventsStatement.EventBodies;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventLinks;

/**
 * Finds the hidden events that belong to visible ones: the call that an answer needs, or
 * that a branch or a task is named after, and the answers to a call. An answer belongs to
 * the latest call with its id before it, as in ADK.
 */
@Component
class CallPairs {

	/**
	 * A search reads at most about this number of characters of hidden events, so that an
	 * id without a call costs a bounded time. Beyond them a model sees an answer without
	 * its call.
	 */
	static final long MAX_SEARCHED_CHARS = 64 << 20;

	/**
	 * An event that is found may need others. So it searches at most this number of
	 * times.
	 */
	private static final int MAX_SEARCHES = 5;

	private final EventBodies bodies;

	CallPairs(EventBodies bodies) {
		this.bodies = bodies;
	}

	/**
	 * Returns the seqs of these events.
	 * @param visible the visible events with calls, answers, or a branch or task that is
	 * named after a call
	 * @param hidden the hidden events of these kinds
	 */
	BitSet find(UUID sessionKey, BitSet visible, BitSet hidden) {
		BitSet found = new BitSet();
		BitSet more = hidden;
		for (int searches = 0; searches < MAX_SEARCHES && !more.isEmpty(); searches++) {
			Search search = new Search(SeqRange.union(visible, found));
			this.bodies.newestFirst(sessionKey, SeqRange.union(visible, hidden), search::visit);
			more = search.found;
			found.or(more);
		}
		return found;
	}

	/** A search from the newest event to the oldest. */
	private static final class Search {

		private final BitSet visible;

		private final BitSet found = new BitSet();

		/** The ids that later visible events need. */
		private final Set<String> needed = new HashSet<>();

		/** The later hidden answers to ids whose calls were not met yet. */
		private final Map<String, BitSet> answers = new HashMap<>();

		private long charsLeft = MAX_SEARCHED_CHARS;

		Search(BitSet visible) {
			this.visible = visible;
		}

		/** Returns whether earlier events are needed. */
		boolean visit(Event event) {
			int seq = (int) event.seq();
			EventLinks links = EventLinks.of(event.body());
			boolean isVisible = this.visible.get(seq);
			if (!isVisible) {
				this.charsLeft -= event.body().length();
				links.answers().forEach((id) -> this.answers.computeIfAbsent(id, (any) -> new BitSet()).set(seq));
				if (links.calls().stream().anyMatch(this.needed::contains)) {
					this.found.set(seq);
					isVisible = true;
				}
			}
			if (isVisible) {
				this.needed.addAll(links.needs());
			}
			for (String id : links.calls()) {
				this.needed.remove(id);
				BitSet hiddenAnswers = this.answers.remove(id);
				if (isVisible && hiddenAnswers != null) {
					this.found.or(hiddenAnswers);
				}
			}
			boolean isVisibleBefore = this.visible.previousSetBit(seq - 1) >= 0;
			return this.charsLeft > 0 && (!this.needed.isEmpty() || isVisibleBefore);
		}

	}

}
