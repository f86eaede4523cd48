package dev.agentsessions.console.session;

import java.util.List;
import java.util.UUID;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.watch.Watch;
import dev.agentsessions.watch.WatchService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.SseConnection;
import dev.agentsessions.web.SseConnections;
import dev.agentsessions.web.SseConnections.SseWatch;

/**
 * Sends the seq of new events to an open page, which then requests them. So only
 * {@link SessionPageController} renders events.
 */
@Controller
class LiveUpdateController {

	private final WatchService watches;

	private final SseConnections connections;

	LiveUpdateController(WatchService watches, SseConnections connections) {
		this.watches = watches;
		this.connections = connections;
	}

	/**
	 * Opens the stream. A browser that reconnects sends the same address and the last
	 * seq. The address has the key of the session shown, so that the page does not show
	 * events of a later session with the same names.
	 */
	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/watch")
	@ResponseBody
	void watch(SessionName name, @RequestHeader("Last-Event-ID") @Nullable String last, @RequestParam long after,
			@RequestParam @Nullable UUID sessionKey, HttpServletRequest request, HttpServletResponse response)
			throws ServletException {
		Watch watch = this.watches.open(name, sessionKey, after, last);
		this.connections.open(request, response, SseWatch.start(watch, LiveUpdateStream::new));
	}

	/** Sends the seq of the newest event, without its content. */
	static final class LiveUpdateStream extends SseWatch {

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

}
