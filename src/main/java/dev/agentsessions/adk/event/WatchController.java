package dev.agentsessions.adk.event;

import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.Preconditions.EntityTag;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.watch.Watch;
import dev.agentsessions.watch.WatchService;
import dev.agentsessions.web.SseConnection;
import dev.agentsessions.web.SseConnections;
import dev.agentsessions.web.SseConnections.SseWatch;

/** Streams the events of a session as they are appended. */
@RestController
class WatchController {

	private final WatchService watches;

	private final SseConnections connections;

	WatchController(WatchService watches, SseConnections connections) {
		this.watches = watches;
		this.connections = connections;
	}

	/** A browser that reconnects sends the same URL and the id of the last event. */
	@GetMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}/events:watch")
	void watchEvents(SessionName name, @RequestHeader("Last-Event-ID") @Nullable String lastEventId,
			@RequestParam @Nullable Long afterSeq, @RequestParam @Nullable String etag,
			@RequestParam @Nullable String parts, HttpServletRequest request, HttpServletResponse response)
			throws ServletException {
		UnaryOperator<Event> mapper = QueryParameters.eventMapper(parts, name, request);
		UUID sessionKey = (etag != null) ? EntityTag.sessionKey("etag", etag) : null;
		Watch watch = this.watches.open(name, sessionKey, afterSeq, lastEventId);
		EntityTag.set(response, watch.version());
		this.connections.open(request, response,
				SseWatch.start(watch, (connection) -> new WatchStream(connection, mapper)));
	}

	/**
	 * Sends the events of a session as server-sent events without a type. The id of each
	 * is its seq and its time, and its data is the event in the requested representation.
	 */
	static final class WatchStream extends SseWatch {

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

}
