package dev.agentsessions.console.session;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.view.ErrorStatus;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryPoint.RewindRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Forks, rewinds and deletes a session, after a confirmation page. The form carries the
 * key (a UUID) of the session shown, so that it does not change a later session with the
 * same id.
 */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}")
class SessionChangeController {

	private final SessionService sessions;

	private final HistoryService history;

	private final AccessPolicy access;

	SessionChangeController(SessionService sessions, HistoryService history, AccessPolicy access) {
		this.sessions = sessions;
		this.history = history;
		this.access = access;
	}

	/** Serves the confirmation page of a change. */
	@GetMapping("/{change:fork|rewind|delete}")
	String ask(SessionName name, @PathVariable String change, @RequestParam @Nullable Long at,
			@RequestParam @Nullable String invocation, HttpServletRequest request, Model model) {
		this.access.check(Access.WRITE, name);
		Session session = this.sessions.get(name, EventWindow.NONE);
		Links links = Links.of(request);
		model.addAttribute("about", SessionView.of(session, links));
		String query = (invocation != null) ? "?invocation=" + Links.encode(invocation) : "";
		model.addAttribute("action", links.session(name) + "/" + change + query);
		model.addAttribute("at", at);
		model.addAttribute("shown", (invocation != null) ? TruncatedText.line(invocation) : null);
		model.addAttribute("revision", session.revision());
		model.addAttribute("updated", session.lastUpdateTime());
		model.addAttribute("sessionKey", session.sessionKey());
		return "console/" + change;
	}

	/**
	 * Forks the session, or shows the form again with the error in it. Generates an id
	 * and a name for the new session if the form has none.
	 */
	@PostMapping("/fork")
	Object fork(SessionName source, @RequestParam @Nullable Long at, @RequestParam @Nullable String invocation,
			@RequestParam UUID sessionKey, @RequestParam(defaultValue = "") String id,
			@RequestParam(defaultValue = "") String name, HttpServletRequest request, Model model) {
		HistoryPoint point = StringUtils.hasText(invocation) ? HistoryPoint.before(invocation)
				: new HistoryPoint(at, null);
		try {
			SessionName target = new SessionName(source.user(),
					StringUtils.hasText(id) ? id : UUID.randomUUID().toString());
			SessionDetails details = SessionDetails.named(StringUtils.hasText(name) ? name : name(source, point));
			this.history.fork(new ForkRequest(source, point, target, details, Precondition.ofSessionKey(sessionKey)),
					EventWindow.NONE);
			return Links.seeOther(Links.of(request).session(target));
		}
		catch (SessionException ex) {
			model.addAttribute("newId", id);
			model.addAttribute("newName", name);
			return ErrorStatus.again(ask(source, "fork", at, invocation, request, model), ex, model);
		}
	}

	/** Returns a name that tells a fork from its source. */
	private String name(SessionName source, HistoryPoint point) {
		Session session = this.sessions.get(source, EventWindow.NONE);
		String name = Objects.requireNonNullElse(session.details().displayName(), source.sessionId());
		String place = (point.beforeInvocationId() != null) ? "before " + point.beforeInvocationId()
				: "at " + Objects.requireNonNullElse(point.seq(), session.revision());
		return TruncatedText.line(name).text() + " (fork " + TruncatedText.line(place).text() + ")";
	}

	/**
	 * Rewinds the session, unless it has new events since the confirmation page. Then it
	 * shows the form again, for the session as it is now.
	 */
	@PostMapping("/rewind")
	Object rewind(SessionName name, @RequestParam String invocation, @RequestParam long revision,
			@RequestParam Instant updated, @RequestParam UUID sessionKey, HttpServletRequest request, Model model) {
		Precondition unchanged = Precondition.of(new SessionVersion(revision, sessionKey, updated, 0)).withoutDetails();
		try {
			this.history.rewind(name, new RewindRequest(invocation, null), unchanged);
			return Links.seeOther(Links.of(request).session(name));
		}
		catch (SessionException ex) {
			boolean typed = request.getQueryString() == null;
			model.addAttribute("typed", invocation);
			return ErrorStatus.again(ask(name, "rewind", null, typed ? null : invocation, request, model), ex, model);
		}
	}

	@PostMapping("/delete")
	ResponseEntity<Void> delete(SessionName name, @RequestParam UUID sessionKey, HttpServletRequest request) {
		this.sessions.delete(name, Precondition.ofSessionKey(sessionKey));
		return Links.seeOther(Links.of(request).user(name.appName(), name.userId()));
	}

}
