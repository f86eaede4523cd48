package dev.agentsessions.console.list;

import java.time.Instant;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.view.IndentedJson;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.RequestId;

/**
 * Erases a user after the id was typed, and shows a receipt. For administrators. The
 * receipt is stored nowhere: the audit log has a line with the same request id.
 */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/erase")
class EraseController {

	private final SessionService sessions;

	private final AccessPolicy access;

	EraseController(SessionService sessions, AccessPolicy access) {
		this.sessions = sessions;
		this.access = access;
	}

	@GetMapping
	String ask(@PathVariable String appName, @PathVariable String userId, Model model, HttpServletRequest request) {
		this.access.check(Access.ADMINISTER, new StateOwner(appName, userId));
		model.addAttribute("link", Links.of(request).user(appName, userId));
		return "console/erase";
	}

	/** Erases the user, or shows the form again if another id was typed. */
	@PostMapping
	ModelAndView erase(@PathVariable String appName, @PathVariable String userId,
			@RequestParam(defaultValue = "") String typed, HttpServletRequest request, Model model) {
		String form = ask(appName, userId, model, request);
		if (!typed.strip().equals(userId.strip())) {
			model.addAttribute("typed", typed);
			model.addAttribute("error", "Nothing was erased: this is not the id of the user.");
			return new ModelAndView(form, HttpStatus.BAD_REQUEST);
		}
		Erasure erased = this.sessions.eraseUser(appName, userId);
		model.addAttribute("erased", erased);
		model.addAttribute("receipt", receipt(appName, userId, erased, request));
		return new ModelAndView(form);
	}

	private TruncatedText receipt(String appName, String userId, Erasure erased, HttpServletRequest request) {
		JsonObject what = JsonObject.EMPTY.with("app", JsonStrings.of(appName))
			.with("user", JsonStrings.of(userId))
			.with("sessions", new JsonText(Long.toString(erased.sessions())))
			.with("events", new JsonText(Long.toString(erased.events())))
			.with("userStateKeys", new JsonText(Long.toString(erased.userStateKeys())));
		return receipt("erased", what, this.access.caller(), request);
	}

	/**
	 * Returns what a page says about a deletion, once, as JSON: what was done, when, by
	 * whom, in which request.
	 */
	static TruncatedText receipt(String act, JsonObject what, String caller, HttpServletRequest request) {
		return IndentedJson.of(JsonObject.EMPTY.with(act, what.toJson())
			.with("time", JsonStrings.of(Instant.now().toString()))
			.with("caller", JsonStrings.of(caller))
			.with("requestId", JsonStrings.of(RequestId.of(request)))
			.toJson(), TruncatedText.MAX_CHARS);
	}

}
