package dev.agentsessions.web.part;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import org.springframework.web.util.UriUtils;

import dev.agentsessions.json.JsonEdits;
import dev.agentsessions.session.Event;

/**
 * Leaves large data out of events and says where it is instead. All else in an event
 * stays as it was sent.
 */
public final class InlineDataStripper implements UnaryOperator<Event> {

	/** In characters of Base64. Data up to this size stays where it is. */
	static final int SMALL = 1024;

	private final String session;

	/**
	 * The light form of the events of a session.
	 * @param session the path of the session, with its names encoded; the data is below
	 */
	public InlineDataStripper(String session) {
		this.session = session;
	}

	@Override
	public Event apply(Event event) {
		if (event.body().text().length() <= SMALL) {
			return event;
		}
		JsonEdits edits = new JsonEdits(event.body());
		InlineData.forEach(event.body(), (data) -> {
			if (data.size() > SMALL) {
				data.replaceByFile(uri(event.id(), data.part()), edits);
			}
		});
		return edits.isEmpty() ? event : new Event(event.seq(), event.commitTime(), event.id(), edits.result());
	}

	private String uri(String eventId, int part) {
		return address(this.session + "/events/" + UriUtils.encode(eventId, StandardCharsets.UTF_8), part);
	}

	/**
	 * Where the data of a part is.
	 * @param event the path of its event
	 */
	public static String address(String event, int part) {
		return event + "/parts/" + part;
	}

}
