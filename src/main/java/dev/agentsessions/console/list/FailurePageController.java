package dev.agentsessions.console.list;

import java.time.LocalDate;
import java.time.ZoneOffset;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.failure.FailureService;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.manage.SessionQuery.Position;
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
		model.addAttribute("curl", ListCommand.sessions(appName, null, form, request));
		try {
			SessionQuery query = form.toQuery(new StateOwner(appName, null), this.tokens).limit(MAX_SESSIONS);
			FailureTable table = new FailureTable(links);
			Position next = this.failures.read(query, form.condition(), table::add);
			model.addAttribute("table", table);
			model.addAttribute("next", (next != null) ? form.next(next, query, this.tokens) : null);
			return new ModelAndView("console/failures");
		}
		catch (SessionException.InvalidArgument ex) {
			model.addAttribute("refusal", TruncatedText.of(ex.getMessage(), TruncatedText.MAX_LINE_CHARS));
			return new ModelAndView("console/failures", HttpStatus.BAD_REQUEST);
		}
	}

}
