package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;

/**
 * Makes the views of the events of a session.
 *
 * @param name the session
 * @param links makes the addresses
 * @param mode how the page shows texts and times
 * @param leftOut the seqs of events that a model does not see
 */
public record EventViews(SessionName name, Links links, ReadingMode mode, Set<Long> leftOut) {

	/** What the view of an event allocates at most, as measured by a test. */
	public static final TranslationCost COST = new TranslationCost(5, 300);

	/** Groups events by invocation, the oldest first. */
	public List<TurnView> turns(List<Event> oldestFirst) {
		return turns(oldestFirst, Map.of());
	}

	/**
	 * Groups events by invocation, the oldest first.
	 * @param before the known state before the first event
	 */
	List<TurnView> turns(List<Event> oldestFirst, Map<String, JsonText> before) {
		Map<String, JsonText> state = new HashMap<>(before);
		List<EventView> events = new ArrayList<>();
		oldestFirst.forEach((event) -> events.add(EventView.of(event, this, state)));
		return TurnView.of(events, this.links.session(this.name));
	}

	/** Returns the page of the session after an event; {@code null} for now. */
	String session(@Nullable Long at) {
		return this.mode.on(this.links.session(this.name, at));
	}

}
