package dev.agentsessions.console.session;

import java.util.List;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.view.LenientFields;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.part.InlineDataStripper;

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
	String turn(SessionKey key, @RequestParam long at, ReadingMode mode, HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		EventQuery query = EventQuery.of(false, Waterfall.MAX_ROWS + 1).between(first(key, at) - 1, Long.MAX_VALUE);
		EventPage page = this.events.list(key, query, new InlineDataStripper(links.session(key)));
		List<TurnEvent> found = page.items().stream().map(TurnEvent::of).toList();
		model.addAttribute("title", TruncatedText.of(found.get(0).invocation(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("turn",
				WaterfallReader.read(new EventViews(key, links, mode, Set.of()), found, page.more()));
		return "console/turn";
	}

	/**
	 * Returns the first event of a turn, or one that is as far before as a page reads.
	 */
	private long first(SessionKey key, long at) {
		if (at < 1 || at == Long.MAX_VALUE) {
			throw new SessionException.EventNotFound();
		}
		EventQuery query = EventQuery.of(true, Waterfall.MAX_ROWS + 1).between(0, at + 1);
		List<Event> before = this.events.list(key, query, TurnPageController::invocation).items();
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
		JsonText invocation = LenientFields.get(EventView.read(event), "invocationId");
		return new Event(event.seq(), event.commitTime(), event.id(),
				(invocation != null) ? invocation : JsonText.NULL);
	}

}
