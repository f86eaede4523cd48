package dev.agentsessions.console.list;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.view.ErrorText;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.FunctionParts;
import dev.agentsessions.session.event.FunctionParts.EventErrors;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.report.FailureService;
import dev.agentsessions.session.report.FailureService.Store.FailedEvent;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/** Serves the page with the failures of an app, for callers that may list all users. */
@Controller
class FailurePageController {

	private static final int MAX_SESSIONS = 500;

	private final FailureService failures;

	private final PageTokens tokens;

	FailurePageController(FailureService failures, PageTokens tokens) {
		this.failures = failures;
		this.tokens = tokens;
	}

	/** Serves the tables, or the form again with what is wrong with it. */
	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/failures")
	ModelAndView failures(@PathVariable String appName, ListParameters parameters, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		ListParameters form = parameters.ofErrors(LocalDate.now(ZoneOffset.UTC));
		model.addAttribute("form", form);
		model.addAttribute("here", links.app(appName) + "/failures");
		model.addAttribute("curl", form.curl(appName, null, request));
		try {
			SessionQuery query = form.toQuery(new StateOwner(appName, null), this.tokens).limit(MAX_SESSIONS);
			FailureTable table = new FailureTable(links);
			Position next = this.failures.read(query, form.condition(), table::add);
			model.addAttribute("table", table);
			model.addAttribute("next", (next != null) ? form.next(next, query, this.tokens) : null);
			return new ModelAndView("console/failures");
		}
		catch (SessionException.InvalidArgument ex) {
			model.addAttribute("refusal", TruncatedText.line(ex.getMessage()));
			return new ModelAndView("console/failures", HttpStatus.BAD_REQUEST);
		}
	}

	/** Counts failures by tool, and by tool and error. */
	static final class FailureTable {

		/** Further failures are counted in one row. */
		private static final int MAX_ROWS = 200;

		private static final int MAX_EXAMPLES = 3;

		private static final Failure OTHERS = new Failure("", "Further errors");

		private final Links links;

		private final Map<Failure, Sum> byTool = new LinkedHashMap<>();

		private final Map<Failure, Sum> byError = new LinkedHashMap<>();

		private long events;

		FailureTable(Links links) {
			this.links = links;
		}

		void add(FailedEvent event) {
			this.events++;
			for (Failure failure : Failure.of(event)) {
				add(this.byTool, new Failure(failure.tool(), ""), new Failure(failure.tool(), ""), event);
				add(this.byError, failure.withoutNumbers(), failure, event);
			}
		}

		private void add(Map<Failure, Sum> sums, Failure key, Failure shown, FailedEvent event) {
			boolean room = sums.containsKey(key) || sums.size() < MAX_ROWS;
			sums.computeIfAbsent(room ? key : OTHERS, (added) -> new Sum(room ? shown : OTHERS)).add(event);
		}

		/** Returns the number of events. */
		public String events() {
			return String.format(Locale.ROOT, "%,d", this.events);
		}

		/** Returns a line for each tool, the one that failed most first. */
		public List<Line> tools() {
			return lines(this.byTool);
		}

		/** Returns a line for each tool and error, the most frequent one first. */
		public List<Line> errors() {
			return lines(this.byError);
		}

		private List<Line> lines(Map<Failure, Sum> sums) {
			return sums.values()
				.stream()
				.sorted(Comparator.comparingLong((Sum sum) -> -sum.times))
				.map((sum) -> sum.toLine(this.links))
				.toList();
		}

		/** The failures of a line. */
		private static final class Sum {

			private final Failure shown;

			private final Set<String> users = new HashSet<>();

			private final List<FailedEvent> newest = new ArrayList<>();

			private long times;

			Sum(Failure shown) {
				this.shown = shown;
			}

			/** Keeps of an event only what leads to it. */
			void add(FailedEvent event) {
				this.times++;
				this.users.add(event.session().userId());
				this.newest.add(new FailedEvent(event.session(), event.seq(), event.time(), null));
				this.newest.sort(Comparator.comparing(FailedEvent::time).reversed());
				if (this.newest.size() > MAX_EXAMPLES) {
					this.newest.remove(MAX_EXAMPLES);
				}
			}

			Line toLine(Links links) {
				return new Line(TruncatedText.line(this.shown.tool()), TruncatedText.line(this.shown.error()),
						this.times, this.users.size(), TimeFormat.of(this.newest.get(0).time()),
						this.newest.stream().map((event) -> Example.of(event, links)).toList());
			}

		}

		/**
		 * Failures that are counted together.
		 *
		 * @param tool the tool; blank for none
		 * @param error the error; blank for any
		 * @param times how often
		 * @param users of how many users
		 * @param last when the newest was stored
		 * @param examples the newest ones
		 */
		record Line(TruncatedText tool, TruncatedText error, long times, int users, String last,
				List<Example> examples) {

		}

		/**
		 * An event.
		 *
		 * @param seq its seq
		 * @param user the user of its session
		 * @param session the id of its session
		 * @param link the page of the session at the event
		 */
		record Example(long seq, TruncatedText user, TruncatedText session, String link) {

			private static Example of(FailedEvent event, Links links) {
				return new Example(event.seq(), TruncatedText.line(event.session().userId()),
						TruncatedText.line(event.session().sessionId()),
						links.eventInSession(event.session(), event.seq()));
			}

		}

	}

	/**
	 * What failed in an event: a tool, or the agent or model itself.
	 *
	 * @param tool the name of the tool; blank for none
	 * @param error the beginning of the error
	 */
	record Failure(String tool, String error) {

		static final int MAX_OF_EVENT = 20;

		/** Returns the failures of an event that reports an error, at least one. */
		static List<Failure> of(FailedEvent event) {
			List<Failure> failures = new ArrayList<>();
			JsonObject fields = LenientFields.object(event.body());
			if (!LenientFields.text(fields, EventFields.ERROR_CODE).isEmpty()) {
				failures.add(new Failure("", cut(ErrorText.ofEvent(fields))));
			}
			FunctionParts.of(fields)
				.map((part) -> LenientFields.object(part, EventFields.FUNCTION_RESPONSE))
				.filter(Objects::nonNull)
				.filter(EventErrors::failed)
				.limit(MAX_OF_EVENT)
				.map((response) -> new Failure(cut(LenientFields.text(response, "name")),
						cut(ErrorText.ofResponse(response))))
				.forEach(failures::add);
			return failures.isEmpty() ? List.of(new Failure("", "The event is too large to say more.")) : failures;
		}

		/** Returns what a list shows of an event. */
		static TruncatedText line(FailedEvent event) {
			Failure first = of(event).get(0);
			String tool = first.tool.isEmpty() ? "" : first.tool + ": ";
			return TruncatedText.line(tool + first.error);
		}

		/** Failures that differ only in numbers are counted together. */
		Failure withoutNumbers() {
			return new Failure(this.tool, this.error.replaceAll("\\d+", "0"));
		}

		private static String cut(String text) {
			return TruncatedText.line(text.strip()).text();
		}

	}

}
