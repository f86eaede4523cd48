package dev.agentsessions.postgres;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import dev.agentsessions.session.EventLinks;

/**
 * Which function calls are needed by events that are left, of events that are told in the
 * order of the history. An id may be used again: what answers it belongs to the latest
 * call before it, as in ADK.
 */
final class FunctionLinks {

	private final Map<String, Integer> latestCalls = new HashMap<>();

	private final BitSet covered = new BitSet();

	private final Map<String, Boolean> elsewhere = new LinkedHashMap<>();

	private final Map<Integer, Set<String>> answered = new LinkedHashMap<>();

	private final BitSet recalled = new BitSet();

	/** Tells of the next event, and whether a summary stands for it. */
	void add(int seq, EventLinks event, boolean isCovered) {
		event.calls().forEach((id) -> this.latestCalls.put(id, seq));
		if (isCovered) {
			this.covered.set(seq);
		}
		else {
			event.needs().forEach((id) -> need(id, event.answers().contains(id)));
		}
	}

	/**
	 * Tells of an event that calls and answers nothing, and that a summary stands for.
	 */
	void cover(int seq) {
		this.covered.set(seq);
	}

	private void need(String id, boolean answer) {
		Integer call = this.latestCalls.get(id);
		if (call == null) {
			this.elsewhere.merge(id, answer, Boolean::logicalOr);
		}
		else if (this.covered.get(call)) {
			recall(call, id, answer);
		}
	}

	/**
	 * Tells of a call that a summary stands for.
	 * @param answer whether it is needed by its answer
	 */
	void recall(int seq, String id, boolean answer) {
		this.recalled.set(seq);
		if (answer) {
			this.answered.computeIfAbsent(seq, (call) -> new HashSet<>()).add(id);
		}
	}

	/** The events told of that summaries stand for. */
	BitSet covered() {
		return this.covered;
	}

	/** The calls that summaries stand for, and that are needed. */
	BitSet recalled() {
		return this.recalled;
	}

	/** The ids that are needed of earlier events, and whether by an answer. */
	Map<String, Boolean> elsewhere() {
		return this.elsewhere;
	}

	/** The ids that are answered, by the recalled event of the call. */
	Map<Integer, Set<String>> answered() {
		return this.answered;
	}

}
