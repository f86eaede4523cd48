package dev.agentsessions.adk.event;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.adk.Preconditions;
import dev.agentsessions.adk.Preconditions.EntityTag;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.adk.event.EventController.AppendResponse.BatchAppendResponse;
import dev.agentsessions.adk.event.EventController.EventListParameters;
import dev.agentsessions.adk.event.EventController.EventListParameters.EventList;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.EventService.SessionReads.SelectedEvents;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DirectRequest;
import dev.agentsessions.web.DirectRequest.PlainParameters;
import dev.agentsessions.web.DirectRoute;
import dev.agentsessions.web.DirectRoute.PlainValue;
import dev.agentsessions.web.FileResponse.PartResponse;
import dev.agentsessions.web.PageTokens;

/** Appends and reads the events of a session. */
@RestController
@RequestMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}")
public class EventController {

	private static final String LIST = "adk events";

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
		EventQuery query = page(name, first, parameters.pageToken());
		EventPage page = this.events.list(name, query, QueryParameters.eventMapper(parameters.parts(), name, request));
		String next = page.more()
				? this.tokens.issue(LIST, List.of(name, first), page.sessionKey().toString(), page.end().text()) : null;
		return new EventList(page.items(), page.items().stream().map(Event::seq).toList(), next);
	}

	private EventQuery page(SessionName name, EventQuery first, @Nullable String pageToken) {
		if (pageToken == null) {
			return first;
		}
		List<String> cursor = this.tokens.position(pageToken, LIST, List.of(name, first));
		return first.after(EventPoint.parse("pageToken", UUID.fromString(cursor.get(0)), cursor.get(1)));
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

	/** The data may have any media type; errors are always problem details. */
	@GetMapping("/events/{eventId}/parts/{part}")
	void getPart(SessionName name, @PathVariable String eventId, @PathVariable int part, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		PartResponse.write(this.events.get(name, eventId), part, request, response);
	}

	private static List<NewEvent> events(JsonObject body) {
		List<JsonObject> events = KnownFields.BATCH.check(body).objects(KnownFields.EVENTS);
		InvalidShape.check(!events.isEmpty(), KnownFields.EVENTS, "is required and must have at least one event");
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
			InvalidShape.check(!ids.isEmpty() && ids.size() <= MAX_IDS, KnownFields.IDS,
					"must have 1 to " + MAX_IDS + " ids");
			InvalidShape.check(new HashSet<>(ids).size() == ids.size(), KnownFields.IDS,
					"must not have the same id twice");
			return ids;
		}

	}

	/**
	 * The query parameters of a list of events.
	 *
	 * @param order by seq: {@code asc}, the default, or {@code desc}
	 * @param limit the maximum number of events of a page, at most and by default 10,000
	 * @param pageToken the token of the page, from the response with the previous page
	 * @param afterSeq only events with a greater seq: those missed since this revision
	 * @param afterTimestamp only events with this timestamp or a later one
	 * @param author only events of this author
	 * @param invocationId only events of this invocation
	 * @param view {@code full}, the default, or {@code context}: only events that a model
	 * sees
	 * @param parts {@code full}, the default, or {@code light}: without large data
	 */
	record EventListParameters(@Nullable String order, @Nullable Integer limit, @Nullable String pageToken,
			@Nullable Long afterSeq, @Nullable String afterTimestamp, @Nullable String author,
			@Nullable String invocationId, @Nullable String view, @Nullable String parts) {

		/** Returns the query of the first page. */
		EventQuery toQuery() {
			InvalidArgument.check(this.afterSeq == null || this.afterSeq >= 0, "afterSeq", "must not be negative");
			return EventQuery.of(QueryParameters.isNewestFirst(this.order), QueryParameters.pageSize(this.limit))
				.between((this.afterSeq != null) ? this.afterSeq : 0, Long.MAX_VALUE)
				.filtered(new EventFilter(QueryParameters.since(this.afterTimestamp), this.author, this.invocationId))
				.withView(QueryParameters.view(this.view));
		}

		/**
		 * A page of events.
		 *
		 * @param events the events, by seq
		 * @param seqs the seq of each event
		 * @param nextPageToken the token of the next page; absent on the last page
		 */
		@JsonInclude(JsonInclude.Include.NON_NULL)
		record EventList(List<Event> events, List<Long> seqs, @Nullable String nextPageToken) {

		}

	}

	/** The direct routes of appends and lists of events. */
	@Configuration(proxyBeanMethods = false)
	static class EventRoutes {

		private static final Map<String, PlainValue> OF_APPEND = Map.of(Preconditions.LAST_UPDATE_TIME,
				PlainValue.TEXT);

		private static final PlainParameters<EventListParameters> OF_LIST = new PlainParameters<>(
				EventListParameters.class);

		private final EventController events;

		EventRoutes(EventController events) {
			this.events = events;
		}

		@Bean
		DirectRoute appendRoute() {
			return new DirectRoute("POST", "/events", OF_APPEND, Preconditions.HEADERS, this::append);
		}

		@Bean
		DirectRoute batchRoute() {
			return new DirectRoute("POST", "/events:batch", OF_APPEND, Preconditions.HEADERS, this::appendAll);
		}

		@Bean
		DirectRoute eventListRoute() {
			return new DirectRoute("GET", "/events", OF_LIST.types(), Set.of(), (request, response) -> list(request));
		}

		private AppendResponse append(DirectRequest request, HttpServletResponse response) {
			return this.events.appendEvent(request.name(), Preconditions.of(request), request.body(), response);
		}

		private BatchAppendResponse appendAll(DirectRequest request, HttpServletResponse response) {
			return this.events.appendEvents(request.name(), Preconditions.of(request), request.body(), response);
		}

		private EventList list(DirectRequest request) {
			return this.events.listEvents(request.name(), OF_LIST.of(request), request.servletRequest());
		}

	}

	/**
	 * The response to an append.
	 *
	 * @param event the event as stored
	 * @param revision the revision of the session right after the event
	 * @param lastUpdateTime the last update time right after the event, in decimal
	 * seconds
	 * @param persisted {@code false} for a partial event, which is not stored; absent
	 * otherwise
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record AppendResponse(JsonText event, long revision, BigDecimal lastUpdateTime,
			@Nullable Boolean persisted) {

		/** Creates the response from the result of an append. */
		public static AppendResponse from(AppendResult appended) {
			return new AppendResponse(appended.event(), appended.version().revision(),
					Timestamps.toSeconds(appended.lastUpdateTime()), appended.persisted() ? null : false);
		}

		/**
		 * The response to an append of several events.
		 *
		 * @param events the stored events as stored, and partial events as sent
		 * @param seqs the seq of each event, {@code null} for a partial event
		 * @param revision the revision of the session right after the last event
		 * @param lastUpdateTime the last update time right after the last event, in
		 * decimal seconds
		 */
		record BatchAppendResponse(List<JsonText> events, List<@Nullable Long> seqs, long revision,
				BigDecimal lastUpdateTime) {

			static BatchAppendResponse from(BatchAppendResult appended) {
				return new BatchAppendResponse(appended.events(), appended.seqs(), appended.version().revision(),
						Timestamps.toSeconds(appended.lastUpdateTime()));
			}

		}

	}

}
