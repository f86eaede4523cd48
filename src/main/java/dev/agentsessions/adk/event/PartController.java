package dev.agentsessions.adk.event;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.web.body.PartResponse;

/** Serves the data in parts of events. */
@RestController
class PartController {

	private final EventService events;

	PartController(EventService events) {
		this.events = events;
	}

	/** The data may have any media type; errors are always problem details. */
	@GetMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}/events/{eventId}/parts/{part}")
	void getPart(SessionName name, @PathVariable String eventId, @PathVariable int part, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		PartResponse.write(this.events.get(name, eventId), part, request, response);
	}

}
