package dev.agentsessions.console;

import java.util.ArrayList;
import java.util.List;

/**
 * Events of one invocation that follow one another.
 *
 * @param title the invocation's id, as it is shown; blank for none
 * @param events the events, the oldest first
 * @param tokens what models have counted for all of them
 * @param fork where a copy of the session until before the invocation begins
 * @param rewind where the session is taken back to before the invocation
 */
record TurnView(TruncatedText title, List<EventView> events, TokenUsage tokens, String fork, String rewind) {

	/**
	 * Puts events together that belong together.
	 * @param session the address of the session
	 */
	static List<TurnView> of(List<EventView> events, String session) {
		List<TurnView> turns = new ArrayList<>();
		int begin = 0;
		for (int end = 1; end <= events.size(); end++) {
			if (end == events.size() || !events.get(end).invocationId().equals(events.get(begin).invocationId())) {
				turns.add(turn(events.subList(begin, end), session));
				begin = end;
			}
		}
		return turns;
	}

	private static TurnView turn(List<EventView> events, String session) {
		String id = events.get(0).invocationId();
		String query = "?invocation=" + Links.encode(id);
		return new TurnView(TruncatedText.of(id, TruncatedText.SHORT), events,
				TokenUsage.sum(events.stream().map(EventView::tokens).toList()), session + "/fork" + query,
				session + "/rewind" + query);
	}

	/** Whether there is an invocation that one can go back to. */
	public boolean isNamed() {
		return !this.title.text().isBlank();
	}

}
