package dev.agentsessions.web.body;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import org.springframework.web.util.UriUtils;

import dev.agentsessions.json.JsonEdits;
import dev.agentsessions.session.Event;

/**
 * Replaces large data in events by its URI. Everything else in an event stays as it was
 * sent.
 */
public final class InlineDataStripper implements UnaryOperator<Event> {

	/** Data with up to this number of Base64 characters stays in the event. */
	static final int MAX_INLINE_CHARS = 1024;

	private final String session;

	/**
	 * Creates a mapper for the events of a session.
	 * @param session the path of the session, with its names encoded; the paths of the
	 * data begin with it
	 */
	public InlineDataStripper(String session) {
		this.session = session;
	}

	@Override
	public Event apply(Event event) {
		if (event.body().length() <= MAX_INLINE_CHARS) {
			return event;
		}
		JsonEdits edits = new JsonEdits(event.body());
		InlineData.forEach(event.body(), (data) -> {
			if (data.size() > MAX_INLINE_CHARS) {
				data.replaceByFile(uri(event.id(), data.part()), edits);
			}
		});
		return edits.isEmpty() ? event : new Event(event.seq(), event.commitTime(), event.id(), edits.result());
	}

	private String uri(String eventId, int part) {
		return address(this.session + "/events/" + UriUtils.encode(eventId, StandardCharsets.UTF_8), part);
	}

	/**
	 * Returns the path of the data of a part.
	 * @param event the path of its event
	 * @param part the index of the part, from 0
	 */
	public static String address(String event, int part) {
		return event + "/parts/" + part;
	}

}
