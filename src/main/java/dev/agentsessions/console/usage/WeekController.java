package dev.agentsessions.console.usage;

import java.time.LocalDate;
import java.time.ZoneOffset;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.usage.Grouping;
import dev.agentsessions.session.usage.UsageQuery;
import dev.agentsessions.session.usage.UsageService;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Serves what the start page says of the tokens and the errors of an app. This may wait
 * for other heavy reads, so the page requests it by itself.
 */
@Controller
class WeekController {

	/** Many apps may be on one page. */
	private static final int MAX_EVENTS = 5000;

	private final UsageService usage;

	WeekController(UsageService usage) {
		this.usage = usage;
	}

	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/week")
	String week(@PathVariable String appName, HttpServletRequest request, Model model) {
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		UsageQuery query = new UsageQuery(new StateOwner(appName, null), null, Grouping.DAY,
				today.minusDays(Week.DAYS - 1L).atStartOfDay(ZoneOffset.UTC).toInstant(), null, null, false);
		model.addAttribute("week", Week.of(this.usage.report(query, MAX_EVENTS), today));
		model.addAttribute("errors", "?error=true&from=" + today + "&until=" + today);
		model.addAttribute("link", Links.of(request).app(appName));
		return "console/week";
	}

}
