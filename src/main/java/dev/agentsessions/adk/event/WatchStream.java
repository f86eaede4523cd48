package dev.agentsessions.adk.event;

import java.util.List;
import java.util.function.UnaryOperator;

import dev.agentsessions.session.Event;
import dev.agentsessions.web.sse.SseConnection;
import dev.agentsessions.web.sse.SseWatch;

/**
 * Sends the events of a session as server-sent events without a type. The id of each is
 * its seq and its time, and its data is the event in the requested representation.
 */
final class WatchStream extends SseWatch {

	/** Small events are sent together, until they have this many characters. */
	private static final int MIN_SEND_CHARS = 1 << 14;

	private final UnaryOperator<Event> mapper;

	/**
	 * Creates a stream.
	 * @param mapper gives events the requested representation
	 */
	WatchStream(SseConnection connection, UnaryOperator<Event> mapper) {
		super(connection);
		this.mapper = mapper;
	}

	@Override
	public int show(List<Event> events) {
		int shown = 0;
		boolean ready = true;
		while (ready && shown < events.size()) {
			StringBuilder text = new StringBuilder();
			int next = shown;
			while (next < events.size() && text.length() < MIN_SEND_CHARS) {
				Event event = this.mapper.apply(events.get(next++));
				addMessage(text, event, event.body().text());
			}
			ready = send(text);
			shown = ready ? next : shown;
		}
		return shown;
	}

}
