package dev.agentsessions.console.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.agentsessions.console.report.TokenUsage;
import dev.agentsessions.console.session.EventViews.EventView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.report.Usage.Tokens;

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
 * @param duration how long the events took, from the first to the last; blank for no time
 * @param bar what took this time, from left to right: for each kind, a path in a picture
 * of 100 times 1
 * @param fork the page that forks the session before the invocation
 * @param rewind the page that rewinds the session to before the invocation
 */
public record TurnView(String invocation, TruncatedText title, List<EventView> events, TokenUsage tokens, boolean whole,
		Map<String, String> results, String duration, Map<String, String> bar, String fork, String rewind) {

	private static final double WIDTH = 100;

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
		List<Instant> stored = events.stream().map(EventView::stored).toList();
		List<Instant> sent = events.stream().map(EventView::sent).toList();
		List<Instant> times = (range(sent).compareTo(range(stored)) > 0) ? sent : stored;
		Map<String, String> bar = bar(events, times);
		return new TurnView(id, TruncatedText.line(id), events,
				TokenUsage.sum(events.stream().map(EventView::tokens).toList()), true, results,
				!bar.isEmpty() ? TimeFormat.precise(range(times)) : "", bar, session + "/fork" + query,
				session + "/rewind" + query);
	}

	static Duration range(List<Instant> times) {
		return Duration.between(times.get(0), times.get(times.size() - 1));
	}

	/** Draws the time before each event in the colour of its kind. */
	private static Map<String, String> bar(List<EventView> events, List<Instant> times) {
		Map<String, String> bar = new TreeMap<>();
		double whole = range(times).toNanos();
		for (int i = 1; i < times.size() && whole > 0; i++) {
			double from = WIDTH * Duration.between(times.get(0), times.get(i - 1)).toNanos() / whole;
			double width = WIDTH * Duration.between(times.get(i - 1), times.get(i)).toNanos() / whole;
			bar.merge(events.get(i).kind(), String.format(Locale.ROOT, "M%.1f 0h%.1fv1h-%2$.1fz", from, width),
					String::concat);
		}
		return bar;
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
		return new TurnView(this.invocation, this.title, this.events, sum, before.isPresent(), this.results,
				this.duration, this.bar, this.fork, this.rewind);
	}

	/** Returns whether the events have an invocation id, which fork and rewind need. */
	public boolean isNamed() {
		return !this.invocation.isBlank();
	}

}
