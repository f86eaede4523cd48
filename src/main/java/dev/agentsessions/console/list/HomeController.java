package dev.agentsessions.console.list;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

import dev.agentsessions.console.list.ListParameters.ListCommand;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;

/** Serves the start page, which lists all apps. */
@Controller
class HomeController {

	private final SessionService sessions;

	HomeController(SessionService sessions) {
		this.sessions = sessions;
	}

	@GetMapping(ConsoleAccess.PATH)
	String home(HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		List<App> apps = this.sessions.appNames()
			.stream()
			.map((name) -> new App(TruncatedText.of(name, TruncatedText.MAX_LINE_CHARS), links.app(name)))
			.toList();
		model.addAttribute("apps", apps);
		model.addAttribute("curl", links.curl(request, "/list-apps"));
		model.addAttribute("create", ListCommand.create("my-app", "ann", request));
		return "console/home";
	}

	/**
	 * An app.
	 *
	 * @param name its name
	 * @param link its page
	 */
	record App(TruncatedText name, String link) {

	}

}
