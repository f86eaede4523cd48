package dev.agentsessions.postgres.context;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventLinks;

/**
 * Finds answers that a model must see beside a call. For example, an event calls the
 * functions A and B, and a summary covers this event and the answer to B, but not the
 * answer to A. The model sees the answer to A, so it needs the event with both calls, and
 * then the answer to B as well. If a call has several answers, the latest by its own time
 * counts, as in ADK.
 */
@Component
class SiblingAnswers {

	private final EventBodies bodies;

	SiblingAnswers(EventBodies bodies) {
		this.bodies = bodies;
	}

	/**
	 * Returns the seqs of the events with these answers; none if there are more than
	 * {@value FunctionCallSearch#MAX_IDS} ids to search for.
	 * @param seqs the covered events with calls or answers, among which it searches
	 * @param recalled the calls that the model sees again, by the seqs of their events
	 */
	BitSet find(UUID sessionKey, BitSet seqs, Map<Integer, RecalledCalls> recalled) {
		Map<String, List<Answer>> wanted = new HashMap<>();
		recalled.forEach((seq, calls) -> calls.siblings()
			.forEach((id) -> wanted.computeIfAbsent(id, (any) -> new ArrayList<>()).add(new Answer(seq, id))));
		BitSet answers = new BitSet();
		if (!wanted.isEmpty() && wanted.size() <= FunctionCallSearch.MAX_IDS) {
			search(sessionKey, seqs, wanted);
			wanted.values().stream().flatMap(List::stream).forEach((answer) -> answer.addTo(answers));
		}
		return answers;
	}

	private void search(UUID sessionKey, BitSet seqs, Map<String, List<Answer>> wanted) {
		BitSet candidates = (BitSet) seqs.clone();
		candidates.clear(0,
				wanted.values().stream().flatMap(List::stream).mapToInt((answer) -> answer.callSeq).min().orElse(0));
		long[] charsLeft = { FunctionCallSearch.MAX_SEARCHED_CHARS };
		this.bodies.oldestFirst(sessionKey, candidates, (event) -> {
			accept(wanted, event);
			charsLeft[0] -= event.body().text().length();
			return charsLeft[0] > 0;
		});
	}

	private static void accept(Map<String, List<Answer>> wanted, Event event) {
		EventLinks links = EventLinks.of(event.body());
		Set<String> ids = new HashSet<>(links.calls());
		ids.addAll(links.answers());
		ids.forEach((id) -> wanted.getOrDefault(id, List.of())
			.forEach((answer) -> answer.accept((int) event.seq(), links)));
	}

	/** Looks for the latest answer to a call, until another call has the same id. */
	private static final class Answer {

		private final int callSeq;

		private final String id;

		private int answerSeq;

		private double time;

		private boolean idTaken;

		Answer(int callSeq, String id) {
			this.callSeq = callSeq;
			this.id = id;
		}

		void accept(int eventSeq, EventLinks event) {
			if (eventSeq > this.callSeq && event.calls().contains(this.id)) {
				this.idTaken = true;
			}
			boolean later = eventSeq >= this.callSeq && (this.answerSeq == 0 || event.time() >= this.time);
			if (!this.idTaken && event.answers().contains(this.id) && later) {
				this.answerSeq = eventSeq;
				this.time = event.time();
			}
		}

		void addTo(BitSet answers) {
			if (this.answerSeq > 0) {
				answers.set(this.answerSeq);
			}
		}

	}

}
