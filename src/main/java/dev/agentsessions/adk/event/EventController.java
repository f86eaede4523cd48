package dev.agentsessions.adk.event;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.EntityTag;
import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.adk.Preconditions;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.adk.event.AppendResponse.BatchAppendResponse;
import dev.agentsessions.adk.event.EventListParameters.EventList;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.SessionReads.SelectedEvents;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.PageTokens;

/** Appends and reads the events of a session. */
@RestController
@RequestMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}")
public class EventController {

	private final EventService events;

	private final PageTokens tokens;

	EventController(EventService events, PageTokens tokens) {
		this.events = events;
		this.tokens = tokens;
	}

	@PostMapping("/events")
	AppendResponse appendEvent(SessionName name, Preconditions preconditions, @RequestBody JsonObject body,
			HttpServletResponse response) {
		NewEvent event = NewEvent.of(KnownFields.checkEvent(body));
		AppendResult appended = preconditions
			.apply((precondition) -> this.events.append(name, new AppendRequest(event, precondition.withoutDetails())));
		setHeaders(response, appended.version(), appended.replayed());
		return AppendResponse.from(appended);
	}

	/** Appends all events or none. */
	@PostMapping("/events:batch")
	BatchAppendResponse appendEvents(SessionName name, Preconditions preconditions, @RequestBody JsonObject body,
			HttpServletResponse response) {
		List<NewEvent> events = events(body);
		BatchAppendResult appended = preconditions
			.apply((precondition) -> this.events.appendAll(name, events, precondition.withoutDetails()));
		setHeaders(response, appended.version(), appended.replayed());
		return BatchAppendResponse.from(appended);
	}

	@GetMapping("/events")
	EventList listEvents(SessionName name, EventListParameters parameters, HttpServletRequest request) {
		EventQuery first = parameters.toQuery();
		EventQuery query = parameters.page(name, first, this.tokens);
		EventPage page = this.events.list(name, query, QueryParameters.eventMapper(parameters.parts(), name, request));
		return EventList.from(page, name, first, this.tokens);
	}

	/**
	 * Reads several events by id. The ids are in the body, because a URL has no room for
	 * all of them.
	 */
	@PostMapping("/events:get")
	SelectedEventList getEvents(SessionName name, @RequestParam @Nullable String parts, @RequestBody JsonObject body,
			HttpServletRequest request) {
		UnaryOperator<Event> mapper = QueryParameters.eventMapper(parts, name, request);
		return SelectedEventList.from(this.events.get(name, SelectedEventList.ids(body)), mapper);
	}

	@GetMapping("/events/{eventId}")
	JsonText getEvent(SessionName name, @PathVariable String eventId, @RequestParam @Nullable String parts,
			HttpServletRequest request, HttpServletResponse response) {
		UnaryOperator<Event> mapper = QueryParameters.eventMapper(parts, name, request);
		Event event = this.events.get(name, eventId);
		// A header, because the body of the response is the event itself
		response.setHeader(ApiHeaders.EVENT_SEQ, Long.toString(event.seq()));
		return mapper.apply(event).body();
	}

	private static List<NewEvent> events(JsonObject body) {
		List<JsonObject> events = KnownFields.BATCH.check(body).objects(KnownFields.EVENTS);
		if (events.isEmpty()) {
			throw new JsonException.InvalidShape(KnownFields.EVENTS, "is required and must have at least one event");
		}
		return events.stream().map(KnownFields::checkEvent).map(NewEvent::of).toList();
	}

	/**
	 * Sets the response headers of an append: the entity tag, and whether the append was
	 * replayed.
	 */
	public static void setHeaders(HttpServletResponse response, SessionVersion version, boolean replayed) {
		EntityTag.set(response, version);
		if (replayed) {
			response.setHeader(ApiHeaders.REPLAYED, "true");
		}
	}

	/**
	 * The response to a request for events by id.
	 *
	 * @param events the events that exist, in the order of the requested ids; they are
	 * read while they are written and can be iterated only once
	 * @param seqs the seq of each event, complete when the events have been written
	 * @param missing the requested ids for which the session has no event
	 */
	record SelectedEventList(Iterable<Event> events, Iterable<Long> seqs, List<String> missing) {

		private static final int MAX_IDS = 100;

		static SelectedEventList from(SelectedEvents selected, UnaryOperator<Event> mapper) {
			List<Long> seqs = new ArrayList<>();
			Iterator<Event> events = selected.events().map((event) -> {
				seqs.add(event.seq());
				return mapper.apply(event);
			}).iterator();
			return new SelectedEventList(() -> events, seqs, selected.missing());
		}

		/** Reads the ids from the body of a request. */
		static List<String> ids(JsonObject body) {
			List<String> ids = KnownFields.GET_EVENTS.read(body, "").required(KnownFields.IDS).strings(KnownFields.IDS);
			if (ids.isEmpty() || ids.size() > MAX_IDS) {
				throw new JsonException.InvalidShape(KnownFields.IDS, "must have 1 to " + MAX_IDS + " ids");
			}
			if (new HashSet<>(ids).size() < ids.size()) {
				throw new JsonException.InvalidShape(KnownFields.IDS, "must not have the same id twice");
			}
			return ids;
		}

	}

}
