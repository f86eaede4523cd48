package dev.agentsessions.console.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

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

import dev.agentsessions.console.view.Links;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Appends the answer of a person to a function call that waits for it. The answer is
 * stored once: its append has the revision as a precondition at which the call still
 * waited, and the form carries the key of the session shown.
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
	String ask(SessionName name, @RequestParam long seq, @RequestParam String call, HttpServletRequest request,
			Model model) {
		this.access.check(Access.WRITE, name);
		return show(waiting(name, seq, call), "", null, request, model);
	}

	/** Appends the answer, or shows the form again with the error in it. */
	@PostMapping
	Object answer(SessionName name, @RequestParam long seq, @RequestParam String call, @RequestParam UUID sessionKey,
			@RequestParam String choice, @RequestParam(defaultValue = "") String text, HttpServletRequest request,
			Model model) {
		this.access.check(Access.WRITE, name);
		try {
			RETRY.invoke(() -> append(name, sessionKey, seq, call, new CallAnswer(choice, text)));
		}
		catch (JsonException ex) {
			String form = show(waiting(name, seq, call), text, ex.getMessage(), request, model);
			return new ModelAndView(form, HttpStatus.BAD_REQUEST);
		}
		return Links.seeOther(Links.of(request).session(name));
	}

	private void append(SessionName name, UUID sessionKey, long seq, String callKey, CallAnswer answer) {
		Session now = this.sessions.get(name, EventWindow.NONE);
		PendingCall call = waiting(name, seq, callKey);
		JsonObject asked = JsonObject.of(this.events.get(name, call.eventId()).body());
		Precondition unchanged = Precondition
			.of(new SessionVersion(now.revision(), sessionKey, now.lastUpdateTime(), 0))
			.withoutDetails();
		this.events.append(name, new AppendRequest(answer.toEvent(call, asked, this.access.caller()), unchanged));
	}

	private PendingCall waiting(SessionName name, long seq, String callKey) {
		PendingQuery query = new PendingQuery(name.app(), name, null, PendingQuery.MAX_LIMIT);
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
		model.addAttribute("sessionKey", call.sessionKey());
		model.addAttribute("text", text);
		model.addAttribute("error", error);
		return "console/answer";
	}

	/**
	 * The answer of a person to a function call, as the form sends it.
	 *
	 * @param choice the button: {@code approve}, {@code refuse}, or another value to send
	 * the text
	 * @param text the text that the person typed; blank for none
	 */
	record CallAnswer(String choice, String text) {

		private static final String CONFIRMATION = "adk_request_confirmation";

		private static final String INPUT = "adk_request_input";

		private static final List<String> FIELDS_OF_CALL = List.of(EventFields.INVOCATION_ID, EventFields.BRANCH,
				EventFields.ISOLATION_SCOPE);

		/** Returns whether the call asks for the confirmation of another call. */
		static boolean isConfirmation(PendingCall call) {
			return call.name().equals(CONFIRMATION);
		}

		/** Returns whether the call asks for a text. */
		static boolean isInput(PendingCall call) {
			return call.name().equals(INPUT);
		}

		/**
		 * Returns the event with the function response. Like the event that ADK's runner
		 * stores, it has the invocation, the branch and the isolation scope of the call,
		 * so that the agent of the call sees it (ADK Python 2.13, {@code runners.py}).
		 * @param asked the event with the call
		 * @param caller identifies the person who answers
		 * @throws JsonException if the text is not the JSON that the call needs
		 */
		NewEvent toEvent(PendingCall call, JsonObject asked, String caller) {
			JsonObject answer = JsonObject.ofTexts(Map.of("id", call.callId()))
				.with("name", JsonStrings.of(call.name()))
				.with("response", response(call).toJson());
			JsonObject part = new JsonObject("", Map.of(EventFields.FUNCTION_RESPONSE, answer.asJson()));
			JsonObject event = JsonObject.EMPTY;
			for (String field : FIELDS_OF_CALL) {
				JsonText value = asked.get(field);
				event = (value != null) ? event.with(field, value) : event;
			}
			return NewEvent.of(event.with(EventFields.AUTHOR, JsonStrings.of(EventFields.USER))
				.with(EventFields.CONTENT, EventFields.content(EventFields.USER, Stream.of(part)))
				.with(EventFields.CUSTOM_METADATA, JsonObject.ofTexts(Map.of("answeredBy", caller)).toJson()));
		}

		/**
		 * Returns the response in the form that ADK expects: the fields of a
		 * {@code ToolConfirmation}; a text as {@code result}, which ADK's own web page
		 * sends, too (ADK Python 2.13, {@code workflow/utils/_rehydration_utils.py}); the
		 * status of any other call as in ADK's samples.
		 */
		private JsonObject response(PendingCall call) {
			if (isInput(call)) {
				return JsonObject.ofTexts(Map.of("result", this.text));
			}
			if (isConfirmation(call)) {
				JsonObject confirmation = JsonObject.parse("{\"confirmed\":" + this.choice.equals("approve") + "}");
				return this.text.isBlank() ? confirmation
						: confirmation.with("payload", JsonObject.parse(this.text).toJson());
			}
			return switch (this.choice) {
				case "approve" -> JsonObject.parse("{\"status\":\"approved\"}");
				case "refuse" -> JsonObject.parse("{\"status\":\"rejected\"}");
				default -> JsonObject.parse(this.text);
			};
		}

	}

}
