package dev.agentsessions.adk;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

import dev.agentsessions.json.JsonEdits;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * Leaves large data out of events and says where it is instead. All else in an event
 * stays as it was sent.
 */
final class LightParts implements UnaryOperator<Event> {

	/** In characters of Base64. Data up to this size stays where it is. */
	static final int SMALL = 1024;

	private final String session;

	private LightParts(String session) {
		this.session = session;
	}

	/**
	 * The form in which a request wants its events.
	 * @param parts {@code full}, or {@code null}, for the one in which they were sent, or
	 * {@code light}
	 */
	static UnaryOperator<Event> of(@Nullable String parts, SessionKey key, HttpServletRequest request) {
		if (parts == null || parts.equals("full")) {
			return UnaryOperator.identity();
		}
		if (parts.equals("light")) {
			return new LightParts(SessionPath.of(key, request));
		}
		throw new SessionException.InvalidArgument("parts", "must be full or light");
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
		return this.session + "/events/" + UriUtils.encode(eventId, StandardCharsets.UTF_8) + "/parts/" + part;
	}

}
