package dev.agentsessions.vertex;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventQuery.TimelineQuery;
import dev.agentsessions.session.event.EventQuery.TimelineQuery.EventPosition;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.vertex.ListWriter.OrderBy;
import dev.agentsessions.vertex.event.WireEvents;
import dev.agentsessions.vertex.event.WireEvents.ClientLibrary;
import dev.agentsessions.web.PageTokens;

/** Appends events and lists them. */
@RestController
@RequestMapping({ ReasoningEngine.PATH, ReasoningEngine.EXPRESS_PATH })
class VertexEventController {

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
	@PostMapping("/sessions/{sessionId}:appendEvent")
	Map<String, Object> appendEvent(ReasoningEngine engine, @PathVariable String sessionId,
			@RequestBody JsonObject body, HttpServletRequest request) {
		SessionName name = this.sessions.locate(Access.WRITE, engine.appName(), sessionId);
		append(name, WireEvents.toStored(body, ClientLibrary.of(request)));
		return Map.of();
	}

	@GetMapping("/sessions/{sessionId}/events")
	void listEvents(ReasoningEngine engine, @PathVariable String sessionId, @RequestParam @Nullable String filter,
			@RequestParam @Nullable String orderBy, @RequestParam @Nullable Integer pageSize,
			@RequestParam @Nullable String pageToken, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		SessionName name = this.sessions.locate(Access.READ, engine.appName(), sessionId);
		TimeFilter times = TimeFilter.of(filter);
		TimelineQuery first = new TimelineQuery(OrderBy.of(orderBy, OLDEST_FIRST, TIMESTAMP).newestFirst(),
				times.from(), times.until(), null, Integer.MAX_VALUE);
		TimelineQuery query = StringUtils.hasLength(pageToken)
				? first.after(EventListSource
					.position(this.tokens.position(pageToken, EventListSource.LIST, List.of(name, first, times))))
				: first;
		ListWriter.write(response, this.memory, "sessionEvents", pageSize, new EventListSource(this.events, this.tokens,
				name, query, times, writer(engine, sessionId, ClientLibrary.of(request))));
	}

	/**
	 * Appends an event with the id of the client, or with a generated id if that id is
	 * taken: the protocol does not guarantee the id.
	 */
	private void append(SessionName name, JsonObject event) {
		try {
			this.events.append(name, new AppendRequest(NewEvent.of(event), Precondition.NONE));
		}
		catch (SessionException.EventIdConflict ex) {
			this.events.append(name, new AppendRequest(NewEvent.of(event.without(Set.of(ID))), Precondition.NONE));
		}
	}

	private static Function<Event, JsonText> writer(ReasoningEngine engine, String sessionId, ClientLibrary client) {
		return (stored) -> WireEvents.fromStored(stored, engine.eventName(sessionId, stored.id()), client,
				engine.version());
	}

	/**
	 * The events of a list.
	 *
	 * @param events the service that reads them
	 * @param tokens issues and reads page tokens
	 * @param name the session
	 * @param query selects the events
	 * @param filter filters them to the nanosecond
	 * @param json converts an event to JSON
	 */
	record EventListSource(EventService events, PageTokens tokens, SessionName name, TimelineQuery query,
			TimeFilter filter, Function<Event, JsonText> json) implements ListWriter.Source<TimedEvent> {

		private static final String LIST = "vertex events";

		/** Returns the position in a token. */
		static EventPosition position(List<String> values) {
			return new EventPosition(Instant.parse(values.get(1)),
					EventPoint.parse("pageToken", UUID.fromString(values.get(0)), values.get(2)));
		}

		@Override
		public Page<TimedEvent> read(@Nullable TimedEvent after, int limit) {
			TimelineQuery next = (after != null) ? this.query.after(after.position()) : this.query;
			return TimedEvent.inOrder(this.events.timeline(this.name, next.limit(limit)), this.query.newestFirst());
		}

		@Override
		public @Nullable JsonText json(TimedEvent timed) {
			return this.filter.test(timed.time()) ? this.json.apply(timed.event()) : null;
		}

		@Override
		public String token(TimedEvent last) {
			return this.tokens.issue(LIST, List.of(this.name, this.query, this.filter), last.sessionKey().toString(),
					last.time().toString(), last.position().event().text());
		}

	}

	/**
	 * The parameter {@code filter} of a list of events, by the times that their senders
	 * set.
	 *
	 * @param bounds the comparisons that must all hold
	 */
	record TimeFilter(List<Bound> bounds) {

		/**
		 * Possessive quantifiers prevent backtracking, so the time is linear in the
		 * length of the text.
		 */
		private static final Pattern BOUND = Pattern
			.compile("timestamp\\s*+(>=|<=|>|<|=)\\s*+(?:\"([^\"]*+)\"|([^\"]*+))");

		private static final Pattern AND = Pattern.compile("(?<=\\s)AND(?=\\s)");

		private static final int MAX_FILTER_CHARS = 1000;

		static TimeFilter of(@Nullable String text) {
			List<Bound> bounds = new ArrayList<>();
			InvalidArgument.check(text == null || text.length() <= MAX_FILTER_CHARS, "filter",
					"must have at most " + MAX_FILTER_CHARS + " characters");
			if (text != null && !text.isBlank()) {
				AND.splitAsStream(text).map(TimeFilter::bound).forEach(bounds::add);
			}
			return new TimeFilter(bounds);
		}

		/**
		 * Returns the time before which no event passes; {@code null} for no such bound.
		 */
		@Nullable Instant from() {
			return times(">").max(Instant::compareTo).orElse(null);
		}

		/**
		 * Returns the time after which no event passes; {@code null} for no such bound.
		 */
		@Nullable Instant until() {
			return times("<").min(Instant::compareTo).orElse(null);
		}

		/** Returns whether an event with this time passes, to the nanosecond. */
		boolean test(Instant time) {
			return this.bounds.stream().allMatch((bound) -> bound.test(time));
		}

		private Stream<Instant> times(String direction) {
			return this.bounds.stream()
				.filter((bound) -> bound.operator().startsWith(direction) || bound.operator().equals("="))
				.map(Bound::time);
		}

		private static Bound bound(String text) {
			Matcher bound = BOUND.matcher(text.strip());
			InvalidArgument.check(bound.matches(), "filter",
					"must compare timestamp with a time, such as timestamp>=\"2026-01-01T00:00:00Z\"");
			String time = (bound.group(2) != null) ? bound.group(2) : bound.group(3);
			// A plus sign that the client did not encode arrives as a space.
			return new Bound(bound.group(1), Timestamps.parse("filter", time.replace(' ', '+')));
		}

		/**
		 * A comparison.
		 *
		 * @param operator the operator
		 * @param time the time to compare with
		 */
		record Bound(String operator, Instant time) {

			Bound {
				Objects.requireNonNull(time);
			}

			boolean test(Instant other) {
				int comparison = other.compareTo(this.time);
				return switch (this.operator) {
					case ">=" -> comparison >= 0;
					case "<=" -> comparison <= 0;
					case ">" -> comparison > 0;
					case "<" -> comparison < 0;
					default -> comparison == 0;
				};
			}

		}

	}

	/**
	 * An event with its own time, to the nanosecond.
	 *
	 * @param event the event
	 * @param time the time that its sender set
	 * @param sessionKey the key (a UUID) of its session
	 */
	record TimedEvent(Event event, Instant time, UUID sessionKey) {

		private static final Comparator<TimedEvent> OLDEST_FIRST = Comparator.comparing(TimedEvent::time)
			.thenComparing((timed) -> timed.event().seq());

		/**
		 * The store orders times by the microsecond, so closer times may be in any order.
		 */
		private static final long MICROSECOND_NANOS = 1000;

		EventPosition position() {
			return new EventPosition(this.time, EventPoint.after(this.sessionKey, this.event));
		}

		/**
		 * Sorts events by the nanosecond, which the store has sorted by the microsecond.
		 * ADK Rust does not read a session with two events in the wrong order. If the
		 * list continues, events within a microsecond of the last one keep their order,
		 * because the next page begins after the last event.
		 */
		static Page<TimedEvent> inOrder(EventPage page, boolean newestFirst) {
			List<TimedEvent> events = new ArrayList<>(
					page.items().stream().map((event) -> of(event, page.sessionKey())).toList());
			int end = events.size();
			while (page.more() && end > 0 && events.get(end - 1).isCloseTo(events.get(events.size() - 1))) {
				end--;
			}
			events.subList(0, end).sort(newestFirst ? OLDEST_FIRST.reversed() : OLDEST_FIRST);
			return new Page<>(events, page.more());
		}

		private static TimedEvent of(Event event, UUID sessionKey) {
			return new TimedEvent(event, EventFields.timeOf(JsonObject.of(event.body())), sessionKey);
		}

		private boolean isCloseTo(TimedEvent other) {
			return !this.time.minusNanos(MICROSECOND_NANOS).isAfter(other.time)
					&& !this.time.plusNanos(MICROSECOND_NANOS).isBefore(other.time);
		}

	}

}
