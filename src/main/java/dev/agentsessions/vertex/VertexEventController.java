package dev.agentsessions.vertex;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Access;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.vertex.event.ClientLibrary;
import dev.agentsessions.vertex.event.WireEvents;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.web.PageTokens;

/** Appends events and lists them. */
@RestController
class VertexEventController {

	private static final String APPEND = ":appendEvent";

	private static final String SESSION = "/sessions/{sessionId}";

	private static final String EVENTS = SESSION + "/events";

	private static final String ID = "id";

	private static final String TIMESTAMP = "timestamp";

	private static final OrderBy OLDEST_FIRST = new OrderBy(TIMESTAMP, false);

	private final SessionService sessions;

	private final EventService events;

	private final PageTokens tokens;

	private final ResponseHeap memory;

	VertexEventController(SessionService sessions, EventService events, PageTokens tokens, ResponseHeap memory) {
		this.memory = memory;
		this.sessions = sessions;
		this.events = events;
		this.tokens = tokens;
	}

	/** Appends an event; the response is always an empty object. */
	@PostMapping({ ReasoningEngineResolver.PATH + SESSION + APPEND,
			ReasoningEngineResolver.EXPRESS_PATH + SESSION + APPEND })
	Map<String, Object> appendEvent(ReasoningEngine engine, @PathVariable String sessionId,
			@RequestBody JsonObject body, HttpServletRequest request) {
		SessionKey key = this.sessions.locate(Access.WRITE, engine.appName(), sessionId);
		append(key, WireEvents.toStored(RequestEnvelope.unwrap(body, "event"), ClientLibrary.of(request)));
		return Map.of();
	}

	@GetMapping({ ReasoningEngineResolver.PATH + EVENTS, ReasoningEngineResolver.EXPRESS_PATH + EVENTS })
	void listEvents(ReasoningEngine engine, @PathVariable String sessionId, @RequestParam @Nullable String filter,
			@RequestParam @Nullable String orderBy, @RequestParam @Nullable Integer pageSize,
			@RequestParam @Nullable String pageToken, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		SessionKey key = this.sessions.locate(Access.READ, engine.appName(), sessionId);
		TimeFilter times = TimeFilter.of(filter);
		TimelineQuery query = new TimelineQuery(OrderBy.of(orderBy, OLDEST_FIRST, TIMESTAMP).newestFirst(),
				times.from(), times.until(), null, Integer.MAX_VALUE);
		EventListSource source = new EventListSource(this.events, this.tokens, key, query, times,
				writer(engine, sessionId, ClientLibrary.of(request)));
		ListWriter.write(response, this.memory, "sessionEvents", pageSize, source.from(pageToken));
	}

	/**
	 * Appends an event with the id of the client, or with a generated id if that id is
	 * taken: the protocol does not guarantee the id.
	 */
	private void append(SessionKey key, JsonObject event) {
		try {
			this.events.append(key, new AppendRequest(NewEvent.of(event), Precondition.NONE));
		}
		catch (SessionException.EventIdConflict ex) {
			this.events.append(key, new AppendRequest(NewEvent.of(event.without(Set.of(ID))), Precondition.NONE));
		}
	}

	private static Function<Event, JsonText> writer(ReasoningEngine engine, String sessionId, ClientLibrary client) {
		return (stored) -> WireEvents.fromStored(stored, engine.eventName(sessionId, stored.id()), client,
				engine.version());
	}

}
