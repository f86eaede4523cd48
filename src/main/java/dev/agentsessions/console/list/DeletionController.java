package dev.agentsessions.console.list;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.list.EraseController.Receipt;
import dev.agentsessions.console.list.SelectionDeleter.Deletion;
import dev.agentsessions.console.list.SelectionDeleter.ShownSessions;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Deletes the sessions that the filter of a list finds, after the name of the user or app
 * was typed, and shows a receipt.
 */
@Controller
@RequestMapping({ ConsoleAccess.PATH + "/apps/{appName}" + DeletionController.PAGE,
		ConsoleAccess.PATH + "/apps/{appName}/users/{userId}" + DeletionController.PAGE })
class DeletionController {

	static final String PAGE = "/delete-sessions";

	private final SelectionDeleter deleter;

	private final AccessPolicy access;

	DeletionController(SelectionDeleter deleter, AccessPolicy access) {
		this.deleter = deleter;
		this.access = access;
	}

	/** Returns the page that deletes what a list shows; {@code null} for a whole list. */
	static @Nullable String link(String list, ListParameters parameters, HttpServletRequest request) {
		return parameters.isFiltered() ? list + PAGE + ListParameters.ofRequest(request) : null;
	}

	/** Serves the confirmation page, or says why the filter does not do. */
	@GetMapping
	ModelAndView ask(@PathVariable String appName, @PathVariable @Nullable String userId, ListParameters parameters,
			HttpServletRequest request, Model model) {
		StateOwner owner = permitted(appName, userId);
		addNames(owner, request, model);
		try {
			model.addAttribute("selection", this.deleter.find(parameters, owner, Links.of(request)));
			return new ModelAndView("console/delete-sessions");
		}
		catch (SessionException.InvalidArgument ex) {
			model.addAttribute("error", TruncatedText.printable(ex.getMessage()));
			return new ModelAndView("console/delete-sessions", HttpStatus.BAD_REQUEST);
		}
	}

	/** Deletes the sessions, or shows the form again if another name was typed. */
	@PostMapping
	ModelAndView delete(@PathVariable String appName, @PathVariable @Nullable String userId, ListParameters parameters,
			@RequestParam(defaultValue = "") String typed, @RequestParam(defaultValue = "") String shown,
			HttpServletRequest request, Model model) {
		StateOwner owner = permitted(appName, userId);
		if (!typed.strip().equals(((userId != null) ? userId : appName).strip())) {
			model.addAttribute("typed", typed);
			model.addAttribute("error", "Nothing was deleted: this is not the name.");
			ModelAndView form = ask(appName, userId, parameters, request, model);
			form.setStatus(HttpStatus.BAD_REQUEST);
			return form;
		}
		addNames(owner, request, model);
		Deletion deletion = this.deleter.delete(parameters, owner, ShownSessions.parse(shown));
		model.addAttribute("deletion", deletion);
		model.addAttribute("receipt", receipt(owner, parameters, deletion, request));
		return new ModelAndView("console/delete-sessions");
	}

	private StateOwner permitted(String appName, @Nullable String userId) {
		StateOwner owner = new StateOwner(appName, userId);
		this.access.checkRole(Access.WRITE, appName);
		this.access.check((userId != null) ? Access.WRITE : Access.ADMINISTER, owner);
		return owner;
	}

	private static void addNames(StateOwner owner, HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		String list = (owner.userId() != null) ? links.user(owner.appName(), owner.userId())
				: links.app(owner.appName());
		String query = ListParameters.ofRequest(request);
		model.addAttribute("ofUser", owner.userId() != null);
		model.addAttribute("list", list + query);
		model.addAttribute("action", list + PAGE + query);
	}

	private TruncatedText receipt(StateOwner owner, ListParameters parameters, Deletion deletion,
			HttpServletRequest request) {
		JsonObject what = JsonObject.parse("{}").with("app", JsonStrings.of(owner.appName()));
		if (owner.userId() != null) {
			what = what.with("user", JsonStrings.of(owner.userId()));
		}
		JsonObject filter = JsonObject.parse("{}");
		for (var given : parameters.filters().entrySet()) {
			filter = filter.with(given.getKey(),
					JsonStrings.of(TruncatedText.of(given.getValue(), TruncatedText.MAX_LINE_CHARS).text()));
		}
		what = what.with("filter", filter.toJson())
			.with("sessions", number(deletion.sessions()))
			.with("events", number(deletion.events()))
			.with("changedAndLeft", number(deletion.changed()))
			.with("remaining", number(deletion.remaining()));
		return Receipt.of("deleted", what, this.access.caller(), request);
	}

	private static JsonText number(long number) {
		return new JsonText(Long.toString(number));
	}

}
