package dev.agentsessions.adk.history;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.EntityTag;
import dev.agentsessions.adk.IfMatch;
import dev.agentsessions.adk.Preconditions;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.adk.event.AppendResponse;
import dev.agentsessions.adk.event.EventController;
import dev.agentsessions.adk.session.AdkSession;
import dev.agentsessions.adk.session.SessionController;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.history.HistoryService;
import dev.agentsessions.session.history.PastSession;
import dev.agentsessions.session.manage.CreatedSession;
import dev.agentsessions.session.manage.IdempotencyKey;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.SessionPath;

/** Forks and rewinds sessions, and explains their state. */
@RestController
@RequestMapping("/apps/{appName}/users/{userId}/sessions")
class HistoryController {

	private final HistoryService history;

	HistoryController(HistoryService history) {
		this.history = history;
	}

	@PostMapping("/{sessionId}:fork")
	@ResponseStatus(HttpStatus.CREATED)
	AdkSession forkSession(SessionKey source, @RequestHeader("If-Match") @Nullable String ifMatch,
			@RequestHeader(ApiHeaders.IDEMPOTENCY_KEY) @Nullable String idempotencyKey,
			@RequestParam @Nullable String lastUpdateTime, @RequestParam @Nullable Integer numRecentEvents,
			@RequestParam @Nullable Boolean includeRevision, @RequestBody @Nullable JsonObject body,
			HttpServletRequest request, HttpServletResponse response) {
		EventWindow window = QueryParameters.window(numRecentEvents, null, null, null);
		ForkSessionRequest fork = ForkSessionRequest.of(body);
		IdempotencyKey key = IdempotencyKey.of(idempotencyKey);
		SessionKey target = fork.target(source, key);
		CreatedSession forked = IfMatch.of(ifMatch, lastUpdateTime)
			.apply((precondition) -> this.history
				.fork(fork.toRequest(source, target, precondition.withoutDetails(), key), window));
		response.setHeader(HttpHeaders.LOCATION, SessionPath.of(target, request));
		return SessionController.respond(forked, includeRevision, response);
	}

	@PostMapping("/{sessionId}:rewind")
	AppendResponse rewindSession(SessionKey key, Preconditions preconditions, @RequestBody JsonObject body,
			HttpServletResponse response) {
		RewindSessionRequest rewind = RewindSessionRequest.of(body);
		AppendResult appended = preconditions
			.apply((precondition) -> rewind.apply(this.history, key, precondition.withoutDetails()));
		EventController.setHeaders(response, appended.version(), appended.replayed());
		return AppendResponse.from(appended);
	}

	@GetMapping("/{sessionId}/state")
	ExplainedState getSessionState(SessionKey key, @RequestParam @Nullable Long atSeq, HttpServletResponse response) {
		PastSession explained = this.history.explain(key, atSeq);
		EntityTag.set(response, explained.session().version());
		return ExplainedState.from(explained, atSeq == null);
	}

}
