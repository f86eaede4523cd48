package dev.agentsessions.session.contract;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/** Events for tests. */
public final class Events {

	/** Removes its key, in place of a value. */
	public static final String REMOVED = RemovalMarker.REMOVED.text();

	private Events() {
	}

	/** The event of a JSON text. */
	public static NewEvent event(String json) {
		return NewEvent.of(JsonObject.parse(json));
	}

	/** An event that changes the state and nothing else. */
	public static NewEvent delta(String stateDelta) {
		return event("{\"author\":\"agent\",\"actions\":{\"stateDelta\":" + stateDelta + "}}");
	}

	/** An event with this id that changes nothing. */
	public static NewEvent id(String id) {
		return event("{\"id\":\"" + id + "\",\"author\":\"agent\"}");
	}

	/** An append after whatever came before. */
	public static AppendRequest append(NewEvent event) {
		return new AppendRequest(event, Precondition.NONE);
	}

	/** An append to a session at this revision. */
	public static AppendRequest append(NewEvent event, long revision) {
		return new AppendRequest(event, new Precondition(revision, null));
	}

}
