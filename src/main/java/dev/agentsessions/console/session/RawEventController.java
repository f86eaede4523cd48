package dev.agentsessions.console.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.FileResponse.PartResponse;

/** Serves stored events: indented on a page, as raw JSON, or the data of a part. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}")
class RawEventController {

	/** The raw JSON has the rest. */
	private static final int MAX_JSON_CHARS = 100_000;

	private final EventService events;

	RawEventController(EventService events) {
		this.events = events;
	}

	@GetMapping("/events/{eventId}")
	String event(SessionName name, @PathVariable String eventId, ReadingMode mode, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		Event event = this.events.get(name, eventId);
		model.addAttribute("event", TruncatedText.line(eventId));
		model.addAttribute("eventId", eventId);
		model.addAttribute("seq", event.seq());
		model.addAttribute("stored", TimeFormat.of(event.commitTime()));
		model.addAttribute("json", mode.json(event.body(), MAX_JSON_CHARS));
		model.addAttribute("here", links.event(name, eventId));
		model.addAttribute("raw", links.event(name, eventId) + "/json");
		model.addAttribute("sessionLink", mode.on(links.eventInSession(name, event.seq())));
		model.addAttribute("curl", links.curl(request, name, "/events/" + Links.encode(eventId)));
		return "console/event";
	}

	@GetMapping("/events/{eventId}/json")
	ResponseEntity<byte[]> rawEvent(SessionName name, @PathVariable String eventId) {
		return json(this.events.get(name, eventId).body());
	}

	/** Serves the data of a part at the address that the pages link to. */
	@GetMapping("/events/{eventId}/parts/{part}")
	void part(SessionName name, @PathVariable String eventId, @PathVariable int part, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		PartResponse.write(this.events.get(name, eventId), part, request, response);
	}

	static ResponseEntity<byte[]> json(JsonText json) {
		return ResponseEntity.ok()
			.contentType(MediaType.APPLICATION_JSON)
			.body(json.text().getBytes(StandardCharsets.UTF_8));
	}

}
