package dev.agentsessions.console.usage;

import java.time.Clock;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.usage.Grouping;
import dev.agentsessions.session.usage.TimedTurn;
import dev.agentsessions.session.usage.UsageQuery;
import dev.agentsessions.session.usage.UsageReport;
import dev.agentsessions.session.usage.UsageRow;
import dev.agentsessions.session.usage.UsageService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/** Serves the pages about what an app, a user or a session has spent. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}")
class UsagePageController {

	private final UsageService usage;

	private final PageTokens tokens;

	private final Clock clock = Clock.systemUTC();

	UsagePageController(UsageService usage, PageTokens tokens) {
		this.usage = usage;
		this.tokens = tokens;
	}

	/** Serves the table, or the form again with what is wrong with it. */
	@GetMapping({ "/usage", "/users/{userId}/usage" })
	ModelAndView list(@PathVariable String appName, @PathVariable @Nullable String userId, UsageForm parameters,
			HttpServletRequest request, Model model) {
		StateOwner owner = new StateOwner(appName, userId);
		UsageForm form = parameters.orLastWeek(this.clock);
		Links links = Links.of(request);
		model.addAttribute("title",
				TruncatedText.of((userId != null) ? userId : owner.appName(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("form", form);
		model.addAttribute("by", form.grouping(userId));
		model.addAttribute("page", page(owner.appName(), userId, links));
		try {
			UsageQuery query = form.toQuery(owner.appName(), userId);
			UsageQuery wanted = form.page(query, this.tokens);
			boolean byDay = query.by() == Grouping.DAY;
			UsageReport report = this.usage.report(byDay ? wanted.withTimes() : wanted);
			model.addAttribute("view", UsageView.of(report, (row) -> line(row, query, form, links)));
			model.addAttribute("charts",
					byDay ? UsageCharts.of(report, (row) -> day(row, query, links),
							(turn) -> timeline(turn, query, links), sessions(query.owner().appName(), userId, links))
							: List.of());
			model.addAttribute("byUser", (byDay && userId == null)
					? page(query.owner().appName(), null, links) + form.range() + "&by=user" : null);
			model.addAttribute("next", form.next(report, query, this.tokens));
			model.addAttribute("curl", links.curl(request, UsageForm.apiPath(query)));
			return new ModelAndView("console/usage");
		}
		catch (SessionException.InvalidArgument ex) {
			model.addAttribute("refusal", TruncatedText.of(ex.getMessage(), TruncatedText.MAX_LINE_CHARS));
			return new ModelAndView("console/usage", HttpStatus.BAD_REQUEST);
		}
	}

	@GetMapping("/users/{userId}/sessions/{sessionId}/usage")
	String session(SessionKey key, HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		UsageQuery query = UsageQuery.ofSession(key);
		UsageReport report = this.usage.report(query);
		model.addAttribute("view", UsageView.of(report, (row) -> turn(row, key, links)));
		model.addAttribute("charts", UsageCharts.ofSession(report, (turn) -> timeline(turn, query, links)));
		model.addAttribute("title", TruncatedText.of(key.sessionId(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("by", Grouping.TURN);
		model.addAttribute("page", links.session(key) + "/usage");
		model.addAttribute("curl", links.curl(request, key, "/usage"));
		return "console/usage";
	}

	private static String sessions(String appName, @Nullable String userId, Links links) {
		return (userId != null) ? links.user(appName, userId) : links.app(appName);
	}

	private static String page(String appName, @Nullable String userId, Links links) {
		return sessions(appName, userId, links) + "/usage";
	}

	private static String timeline(TimedTurn turn, UsageQuery query, Links links) {
		return links.session(new SessionKey(query.owner().appName(), turn.userId(), turn.sessionId())) + "/turn?at="
				+ turn.seq();
	}

	private static UsageLine turn(UsageRow row, SessionKey key, Links links) {
		String name = row.name().isEmpty() ? "no invocation" : row.name();
		return UsageLine.of(name, links.session(key, row.seq()) + "#event-" + row.seq(), row.usage());
	}

	private static String day(UsageRow row, UsageQuery query, Links links) {
		return page(query.owner().appName(), query.owner().userId(), links) + "?from=" + row.name() + "&to="
				+ row.name() + ((query.owner().userId() == null) ? "&by=user" : "&by=model");
	}

	/** Days of an app lead to its users, and users to their own page. */
	private static UsageLine line(UsageRow row, UsageQuery query, UsageForm form, Links links) {
		return switch (query.by()) {
			case DAY -> UsageLine.of(row.name(), day(row, query, links), row.usage());
			case USER -> UsageLine.of(row.name(),
					links.user(query.owner().appName(), row.name()) + "/usage" + form.range(), row.usage());
			case MODEL, TURN -> UsageLine.of(row.name().isEmpty() ? "no model named" : row.name(), null, row.usage());
		};
	}

}
