package dev.agentsessions.console.session;

import java.time.Duration;
import java.util.UUID;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.pending.PendingView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.session.pending.PendingCall;
import dev.agentsessions.session.pending.PendingQuery;
import dev.agentsessions.session.pending.PendingService;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Appends the answer of a person to a function call that waits for it. The answer is
 * stored once: its append has the revision as a precondition at which the call still
 * waited, and the form carries the birth of the session shown.
 */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/answer")
class AnswerController {

	/** An agent may append other events between the check and the append. */
	private static final RetryTemplate RETRY = new RetryTemplate(RetryPolicy.builder()
		.includes(SessionException.Stale.class)
		.maxRetries(5)
		.delay(Duration.ofMillis(20))
		.build());

	private final SessionService sessions;

	private final EventService events;

	private final PendingService pending;

	private final AccessPolicy access;

	AnswerController(SessionService sessions, EventService events, PendingService pending, AccessPolicy access) {
		this.sessions = sessions;
		this.events = events;
		this.pending = pending;
		this.access = access;
	}

	/** Serves the form for an answer. */
	@GetMapping
	String ask(SessionKey key, @RequestParam long seq, @RequestParam String call, HttpServletRequest request,
			Model model) {
		this.access.check(Access.WRITE, key);
		return show(waiting(key, seq, call), "", null, request, model);
	}

	/** Appends the answer, or shows the form again with the error in it. */
	@PostMapping
	Object answer(SessionKey key, @RequestParam long seq, @RequestParam String call, @RequestParam UUID birth,
			@RequestParam String choice, @RequestParam(defaultValue = "") String text, HttpServletRequest request,
			Model model) {
		this.access.check(Access.WRITE, key);
		try {
			RETRY.invoke(() -> append(key, birth, seq, call, new CallAnswer(choice, text)));
		}
		catch (JsonException ex) {
			String form = show(waiting(key, seq, call), text, ex.getMessage(), request, model);
			return new ModelAndView(form, HttpStatus.BAD_REQUEST);
		}
		return Links.seeOther(Links.of(request).session(key));
	}

	private boolean append(SessionKey key, UUID birth, long seq, String callKey, CallAnswer answer) {
		Session now = this.sessions.get(key, EventWindow.NONE);
		PendingCall call = waiting(key, seq, callKey);
		JsonObject asked = JsonObject.of(this.events.get(key, call.eventId()).body());
		Precondition unchanged = Precondition.of(new SessionVersion(now.revision(), birth, now.lastUpdateTime(), 0))
			.withoutDetails();
		this.events.append(key, new AppendRequest(answer.toEvent(call, asked, this.access.caller()), unchanged));
		return true;
	}

	private PendingCall waiting(SessionKey key, long seq, String callKey) {
		PendingQuery query = new PendingQuery(key.app(), key, null, PendingQuery.MAX_LIMIT);
		return this.pending.list(query)
			.items()
			.stream()
			.filter((call) -> call.seq() == seq && call.callKey().equals(callKey))
			.findFirst()
			.orElseThrow(
					() -> new SessionException.InvalidArgument("The call", "does not wait for an answer any more"));
	}

	private String show(PendingCall call, String text, @Nullable String error, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		model.addAttribute("call", PendingView.of(call, links));
		model.addAttribute("confirmation", CallAnswer.isConfirmation(call));
		model.addAttribute("input", CallAnswer.isInput(call));
		model.addAttribute("birth", call.birth());
		model.addAttribute("text", text);
		model.addAttribute("error", error);
		return "console/answer";
	}

}
