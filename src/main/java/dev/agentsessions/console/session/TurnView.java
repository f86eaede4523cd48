package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.agentsessions.console.report.TokenUsage;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.report.Tokens;

/**
 * Consecutive events of one invocation.
 *
 * @param invocation the id of the invocation; blank for none
 * @param title the id as shown
 * @param events the events, the oldest first
 * @param tokens the token usage of all events together
 * @param whole whether the tokens are the sum of the whole turn up to its last event
 * shown
 * @param results the results of function calls in one line, by the id of the call
 * @param fork the page that forks the session before the invocation
 * @param rewind the page that rewinds the session to before the invocation
 */
public record TurnView(String invocation, TruncatedText title, List<EventView> events, TokenUsage tokens, boolean whole,
		Map<String, String> results, String fork, String rewind) {

	/**
	 * Groups consecutive events by invocation.
	 * @param session the address of the session
	 */
	static List<TurnView> of(List<EventView> events, String session) {
		List<TurnView> turns = new ArrayList<>();
		Map<String, String> results = results(events);
		int begin = 0;
		for (int end = 1; end <= events.size(); end++) {
			if (end == events.size() || !events.get(end).invocationId().equals(events.get(begin).invocationId())) {
				turns.add(turn(events.subList(begin, end), results, session));
				begin = end;
			}
		}
		return turns;
	}

	private static TurnView turn(List<EventView> events, Map<String, String> results, String session) {
		String id = events.get(0).invocationId();
		String query = "?invocation=" + Links.encode(id);
		return new TurnView(id, TruncatedText.of(id, TruncatedText.MAX_LINE_CHARS), events,
				TokenUsage.sum(events.stream().map(EventView::tokens).toList()), true, results,
				session + "/fork" + query, session + "/rewind" + query);
	}

	/** A call that waits may be answered in a later turn. */
	private static Map<String, String> results(List<EventView> events) {
		Map<String, String> results = new HashMap<>();
		events.stream()
			.flatMap((event) -> event.parts().stream())
			.filter((part) -> part.isAnswer() && !part.call().isBlank())
			.forEach((part) -> results.put(part.call(), (part.isFailed() ? "failed: " : "") + part.brief()));
		return results;
	}

	/**
	 * Returns the turn with the tokens of its events that the page does not show.
	 * @param before the tokens; empty if there are too many events to add up
	 */
	TurnView with(Optional<Tokens> before) {
		TokenUsage sum = new TokenUsage(this.tokens.tokens().plus(before.orElse(Tokens.NONE)));
		return new TurnView(this.invocation, this.title, this.events, sum, before.isPresent(), this.results, this.fork,
				this.rewind);
	}

	/** Returns whether the events have an invocation id, which fork and rewind need. */
	public boolean isNamed() {
		return !this.invocation.isBlank();
	}

}
