package dev.agentsessions.console.session;

import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.web.ConsoleAccess;

/** Serves the state of a session at a moment: on a page, or as raw JSON. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/state")
class StatePageController {

	private final HistoryService history;

	StatePageController(HistoryService history) {
		this.history = history;
	}

	/** Serves the state with the event that set each key. */
	@GetMapping
	String state(SessionName name, @RequestParam @Nullable Long at, ReadingMode mode, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		model.addAttribute("state", StateView.of(this.history.explain(name, at), links.session(name), mode));
		model.addAttribute("at", at);
		model.addAttribute("here", links.session(name) + "/state" + Links.at(at));
		model.addAttribute("raw", links.session(name) + "/state/json" + Links.at(at));
		model.addAttribute("curl", links.curl(request, name, "/state" + ((at != null) ? "?atSeq=" + at : "")));
		return "console/state";
	}

	@GetMapping("/json")
	ResponseEntity<byte[]> raw(SessionName sessionName, @RequestParam @Nullable Long at) {
		Session session = this.history.explain(sessionName, at).session();
		StringJoiner json = new StringJoiner(",", "{", "}");
		session.state().forEach((name, value) -> json.add(JsonStrings.quote(name) + ":" + value.text()));
		return ResponseEntity.ok()
			.contentType(MediaType.APPLICATION_JSON)
			.body(json.toString().getBytes(StandardCharsets.UTF_8));
	}

}
