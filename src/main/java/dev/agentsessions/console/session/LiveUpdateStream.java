package dev.agentsessions.console.session;

import java.util.List;

import dev.agentsessions.session.Event;
import dev.agentsessions.web.sse.SseConnection;
import dev.agentsessions.web.sse.SseWatch;

/** Sends the seq of the newest event, without its content. */
final class LiveUpdateStream extends SseWatch {

	LiveUpdateStream(SseConnection connection) {
		super(connection);
	}

	@Override
	public int show(List<Event> events) {
		long seq = events.get(events.size() - 1).seq();
		StringBuilder message = new StringBuilder();
		addMessage(message, seq, Long.toString(seq));
		return send(message) ? events.size() : 0;
	}

}
