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
		Event newest = events.get(events.size() - 1);
		StringBuilder message = new StringBuilder();
		addMessage(message, newest, Long.toString(newest.seq()));
		return send(message) ? events.size() : 0;
	}

}
