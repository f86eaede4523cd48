package dev.agentsessions.console.session;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.report.TokenUsage;
import dev.agentsessions.console.session.EventViews.EventView;
import dev.agentsessions.console.session.Waterfall.WaterfallRow;
import dev.agentsessions.console.view.ErrorText;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventLinks.CallKey;
import dev.agentsessions.session.event.EventMarks;
import dev.agentsessions.session.event.EventMarks.OpenCall;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.FunctionParts;
import dev.agentsessions.session.event.FunctionParts.EventErrors;
import dev.agentsessions.session.report.TimingCollector.BranchTimes;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.InlineDataStripper;

/** Serves the picture of a turn. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/turn")
class TurnPageController {

	private final EventService events;

	TurnPageController(EventService events) {
		this.events = events;
	}

	/**
	 * Serves the page.
	 * @param at the seq of an event of the turn
	 */
	@GetMapping
	String turn(SessionName name, @RequestParam long at, ReadingMode mode, HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		EventQuery query = EventQuery.of(false, Waterfall.MAX_ROWS + 1).after(first(name, at) - 1);
		EventPage page = this.events.list(name, query, new InlineDataStripper(links.session(name)));
		List<TurnEvent> found = page.items().stream().map(TurnEvent::of).toList();
		model.addAttribute("title", TruncatedText.line(found.get(0).invocation()));
		model.addAttribute("turn",
				WaterfallReader.read(new EventViews(name, links, mode, Set.of()), found, page.more()));
		return "console/turn";
	}

	/**
	 * Returns the first event of a turn, or one that is as far before as a page reads.
	 */
	private long first(SessionName name, long at) {
		if (at < 1 || at == Long.MAX_VALUE) {
			throw new SessionException.EventNotFound();
		}
		EventQuery query = EventQuery.of(true, Waterfall.MAX_ROWS + 1).between(0, at + 1);
		List<Event> before = this.events.list(name, query, TurnPageController::invocation).items();
		if (before.isEmpty() || before.get(0).seq() != at) {
			throw new SessionException.EventNotFound();
		}
		return before.stream()
			.takeWhile((event) -> event.body().equals(before.get(0).body()))
			.mapToLong(Event::seq)
			.min()
			.orElse(at);
	}

	/** Returns the event with its invocation in place of its body. */
	private static Event invocation(Event event) {
		JsonText invocation = LenientFields.get(EventView.read(event), EventFields.INVOCATION_ID);
		return new Event(event.seq(), event.commitTime(), event.id(),
				(invocation != null) ? invocation : JsonText.NULL);
	}

	/**
	 * Makes the rows of the picture of a turn. An event of a model takes from the event
	 * before it on its branch, and a response of a tool from its call.
	 */
	static final class WaterfallReader {

		private static final int MAX_WORDS = 80;

		private final EventViews views;

		private final boolean stored;

		/** The first events that answer calls which wait, by the key of the call. */
		private final Map<String, TurnEvent> answers = new HashMap<>();

		/** The times of calls, by id. */
		private final Map<String, Instant> calls = new HashMap<>();

		private final BranchTimes branches = new BranchTimes();

		private final List<WaterfallRow> rows = new ArrayList<>();

		private WaterfallReader(EventViews views, List<TurnEvent> events, boolean stored) {
			this.views = views;
			this.stored = stored;
			events.forEach((event) -> event.marks().answered().forEach((key) -> this.answers.putIfAbsent(key, event)));
		}

		/**
		 * Returns the picture of the turn of the first event. If the times of storage are
		 * closer together than those of the senders, the events were stored afterwards.
		 * Otherwise they are better: ADK Python gives the response of a model the time at
		 * which it asked the model.
		 * @param events the events from the first one of the turn, also of later turns,
		 * which may answer its calls
		 * @param more whether the last of these events may not be the last one of the
		 * turn
		 */
		static Waterfall read(EventViews views, List<TurnEvent> events, boolean more) {
			String invocation = events.get(0).invocation();
			List<TurnEvent> turn = events.stream().filter((event) -> event.invocation().equals(invocation)).toList();
			List<Instant> storage = times(turn, true);
			List<Instant> sent = times(turn, false);
			boolean stored = TurnView.range(storage).compareTo(TurnView.range(sent)) >= 0;
			WaterfallReader reader = new WaterfallReader(views, events, stored);
			turn.forEach(reader::add);
			List<WaterfallRow> rows = reader.rows.subList(0, Math.min(Waterfall.MAX_ROWS, reader.rows.size()));
			boolean cut = rows.size() < reader.rows.size()
					|| more && events.get(events.size() - 1).invocation().equals(invocation);
			List<Instant> times = stored ? storage : sent;
			return new Waterfall(rows, times.get(0), times.get(times.size() - 1), stored, cut);
		}

		/** Returns the times of events, the earliest first. */
		private static List<Instant> times(List<TurnEvent> turn, boolean stored) {
			return turn.stream().map((event) -> event.time(stored)).sorted().toList();
		}

		private void add(TurnEvent event) {
			if (this.rows.size() > Waterfall.MAX_ROWS) {
				return;
			}
			Instant end = event.time(this.stored);
			Instant before = this.branches.before(event.branch(), end).orElse(end);
			List<JsonObject> responses = event.responses();
			for (JsonObject response : responses) {
				addResponse(event, response, before, end);
			}
			String words = event.words();
			TruncatedText error = EventView.error(event.body());
			if (responses.isEmpty() || !words.isEmpty() || error != null) {
				boolean model = !event.isOfUser() && event.isOfModel();
				add(event, event.isOfUser() ? "user" : model ? "model" : "other", words, model ? before : end, end,
						error);
			}
			for (JsonObject call : event.calls()) {
				this.calls.put(LenientFields.text(call, "id"), end);
			}
			for (OpenCall call : event.marks().opened()) {
				add(event, "wait", "waits for an answer to " + call.name(), end, answered(event, call), null);
			}
			this.branches.add(event.branch(), end);
		}

		private void addResponse(TurnEvent event, JsonObject response, Instant before, Instant end) {
			String name = LenientFields.text(response, "name");
			if (event.isOfUser()) {
				add(event, "user", "answers " + name, end, end, failure(response));
			}
			else {
				Instant call = this.calls.getOrDefault(LenientFields.text(response, "id"), before);
				add(event, "tool", name, call.isAfter(end) ? end : call, end, failure(response));
			}
		}

		private void add(TurnEvent event, String kind, String what, Instant begin, @Nullable Instant end,
				@Nullable TruncatedText error) {
			boolean first = this.rows.isEmpty() || this.rows.get(this.rows.size() - 1).seq() != event.event().seq();
			this.rows.add(new WaterfallRow(event.event().seq(), kind, TruncatedText.line(event.author().strip()),
					TruncatedText.line(event.branch().strip()),
					new TruncatedText(TruncatedText.brief(what, MAX_WORDS), 0), begin, end,
					TokenUsage.of(first ? LenientFields.get(event.body(), EventFields.USAGE_METADATA) : null), error,
					this.views.event(event.event().seq())));
		}

		private @Nullable Instant answered(TurnEvent asking, OpenCall call) {
			TurnEvent answer = this.answers.get(CallKey.of(call.id()));
			return (answer != null && answer.event().seq() > asking.event().seq()) ? answer.time(this.stored) : null;
		}

		private static @Nullable TruncatedText failure(JsonObject response) {
			return EventErrors.failed(response) ? TruncatedText.line(ErrorText.ofResponse(response).strip()) : null;
		}

	}

	/**
	 * An event as the picture of its turn needs it.
	 *
	 * @param event the event
	 * @param body its parsed body
	 * @param marks the calls that wait after it, and those that it answers
	 * @param parts the first parts of its content that can be read
	 */
	record TurnEvent(Event event, JsonObject body, EventMarks marks, List<JsonObject> parts) {

		private static final int MAX_PARTS = 200;

		static TurnEvent of(Event event) {
			JsonObject body = EventView.read(event);
			return new TurnEvent(event, body, marks(event), FunctionParts.of(body).limit(MAX_PARTS).toList());
		}

		private static EventMarks marks(Event event) {
			try {
				return EventMarks.of(event.body());
			}
			catch (JsonException ex) {
				return EventMarks.NONE;
			}
		}

		String invocation() {
			return LenientFields.text(this.body, EventFields.INVOCATION_ID);
		}

		String author() {
			return LenientFields.text(this.body, EventFields.AUTHOR);
		}

		String branch() {
			return LenientFields.text(this.body, EventFields.BRANCH);
		}

		boolean isOfUser() {
			return author().equals(EventFields.USER);
		}

		/** Returns whether it comes from a model: it has contents, tokens or an error. */
		boolean isOfModel() {
			return !this.parts.isEmpty() || this.body.get(EventFields.USAGE_METADATA) != null
					|| EventView.error(this.body) != null;
		}

		List<JsonObject> calls() {
			return functions(EventFields.FUNCTION_CALL).toList();
		}

		List<JsonObject> responses() {
			return functions(EventFields.FUNCTION_RESPONSE).toList();
		}

		/** Returns its texts and the functions that it calls. */
		String words() {
			Stream<String> texts = this.parts.stream().map((part) -> LenientFields.text(part, EventFields.TEXT));
			Stream<String> calls = calls().stream().map((call) -> "calls " + LenientFields.text(call, "name"));
			return Stream.concat(texts, calls).filter((text) -> !text.isBlank()).collect(Collectors.joining(" · "));
		}

		/**
		 * Returns the time of the event.
		 * @param stored whether that is when it was stored, and not the time that its
		 * sender gave it
		 */
		Instant time(boolean stored) {
			return stored ? this.event.commitTime() : EventView.sent(this.event, this.body);
		}

		private Stream<JsonObject> functions(String name) {
			return this.parts.stream().map((part) -> LenientFields.object(part, name)).filter(Objects::nonNull);
		}

	}

}
