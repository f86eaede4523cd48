package dev.agentsessions.console.session;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionKey;

/**
 * Makes the views of the events of a session.
 *
 * @param key the session
 * @param links makes the addresses
 * @param mode how the page shows texts and times
 * @param leftOut the seqs of events that a model does not see
 */
public record EventViews(SessionKey key, Links links, ReadingMode mode, Set<Long> leftOut) {

	/** Groups events by invocation, the oldest first. */
	public List<TurnView> turns(List<Event> oldestFirst) {
		return TurnView.of(oldestFirst.stream().map(this::view).toList(), this.links.session(this.key));
	}

	/** Returns the page of the session after an event; {@code null} for now. */
	String session(@Nullable Long at) {
		return this.mode.on(this.links.session(this.key, at));
	}

	private EventView view(Event event) {
		return EventView.of(event, this, this.leftOut.contains(event.seq()));
	}

}
