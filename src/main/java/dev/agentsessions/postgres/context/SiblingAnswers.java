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
 * Finds the answers to the other calls of an event when an answer needs one of its calls.
 * Of several answers to a call it takes the latest by its own time, as ADK does.
 */
@Component
class SiblingAnswers {

	private final EventBodies bodies;

	SiblingAnswers(EventBodies bodies) {
		this.bodies = bodies;
	}

	/**
	 * Returns the events with these answers.
	 * @param seqs the covered events with calls or answers, among which it searches
	 * @param recalled the calls, by the seqs of their events
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
				wanted.values().stream().flatMap(List::stream).mapToInt((answer) -> answer.call).min().orElse(0));
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

	/** The latest answer to a call, until another call takes its id. */
	private static final class Answer {

		private final int call;

		private final String id;

		private int seq;

		private double time;

		private boolean over;

		Answer(int call, String id) {
			this.call = call;
			this.id = id;
		}

		void accept(int eventSeq, EventLinks event) {
			this.over |= eventSeq > this.call && event.calls().contains(this.id);
			boolean later = eventSeq >= this.call && (this.seq == 0 || event.time() >= this.time);
			if (!this.over && event.answers().contains(this.id) && later) {
				this.seq = eventSeq;
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
