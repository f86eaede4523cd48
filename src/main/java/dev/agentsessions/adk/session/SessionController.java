package dev.agentsessions.adk.session;

import java.time.Instant;
import java.util.UUID;
import java.util.function.UnaryOperator;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.EntityTag;
import dev.agentsessions.adk.Preconditions;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.history.HistoryService;
import dev.agentsessions.session.manage.CreatedSession;
import dev.agentsessions.session.manage.IdempotencyKey;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.web.ApiHeaders;

/** Creates, reads, updates and deletes sessions. */
@RestController
@RequestMapping("/apps/{appName}/users/{userId}/sessions")
public class SessionController {

	private final SessionService sessions;

	private final EventService events;

	private final HistoryService history;

	SessionController(SessionService sessions, EventService events, HistoryService history) {
		this.sessions = sessions;
		this.events = events;
		this.history = history;
	}

	@PostMapping
	AdkSession createSession(@PathVariable String appName, @PathVariable String userId,
			@RequestHeader(ApiHeaders.IDEMPOTENCY_KEY) @Nullable String idempotencyKey,
			@RequestParam @Nullable Boolean includeRevision, @RequestBody @Nullable JsonObject body,
			HttpServletResponse response) {
		CreateSessionRequest request = CreateSessionRequest.of(body);
		IdempotencyKey key = IdempotencyKey.of(idempotencyKey);
		return respond(this.sessions.create(request.toCreateSession(appName, userId, key)), includeRevision, response);
	}

	@PostMapping("/{sessionId}")
	AdkSession createSessionWithId(@PathVariable String appName, @PathVariable String userId,
			@PathVariable String sessionId, @RequestHeader(ApiHeaders.IDEMPOTENCY_KEY) @Nullable String idempotencyKey,
			@RequestParam @Nullable String bodyStyle, @RequestParam @Nullable Boolean includeRevision,
			@RequestBody @Nullable JsonObject body, HttpServletResponse response) {
		CreateSessionRequest request = CreateSessionRequest.ofPathWithId(body, bodyStyle);
		IdempotencyKey key = IdempotencyKey.of(idempotencyKey);
		return respond(this.sessions.create(request.toCreateSessionWithId(appName, userId, sessionId, key)),
				includeRevision, response);
	}

	@GetMapping("/{sessionId}")
	AdkSession getSession(SessionKey key, SessionParameters parameters, HttpServletRequest request,
			HttpServletResponse response) {
		EventWindow window = parameters.window();
		UnaryOperator<Event> mapper = QueryParameters.eventMapper(parameters.parts(), key, request);
		Long atSeq = parameters.atSeq();
		Session session = (atSeq != null) ? this.history.get(key, atSeq, window).session()
				: this.sessions.get(key, window);
		setHeaders(session, response);
		return AdkSession.from(session.withEvents(mapper), parameters.includeRevision(), parameters.seqs());
	}

	@PatchMapping("/{sessionId}")
	AdkSession updateSession(SessionKey key, Preconditions preconditions,
			@RequestParam @Nullable Boolean includeRevision, @RequestBody JsonObject body,
			HttpServletResponse response) {
		UpdateSessionRequest request = UpdateSessionRequest.of(body);
		UUID birth = preconditions
			.apply((precondition) -> request.apply(this.sessions, this.events, key, precondition));
		return respond(this.sessions.get(key, birth, EventWindow.ALL), includeRevision, response);
	}

	@DeleteMapping("/{sessionId}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void deleteSession(SessionKey key, Preconditions preconditions) {
		preconditions.accept((precondition) -> this.sessions.delete(key, precondition));
	}

	/**
	 * Sets the response headers of a new session and returns the body of the response.
	 */
	public static AdkSession respond(CreatedSession created, @Nullable Boolean includeRevision,
			HttpServletResponse response) {
		if (created.replayed()) {
			response.setHeader(ApiHeaders.REPLAYED, "true");
		}
		return respond(created.session(), includeRevision, response);
	}

	/** Sets the response headers of a session and returns the body of the response. */
	private static AdkSession respond(Session session, @Nullable Boolean includeRevision,
			HttpServletResponse response) {
		setHeaders(session, response);
		return AdkSession.from(session, includeRevision);
	}

	private static void setHeaders(Session session, HttpServletResponse response) {
		EntityTag.set(response, session.version());
		Instant expireTime = session.details().expireTime();
		if (expireTime != null) {
			// A header, because ADK Python refuses sessions with unknown fields
			response.setHeader(ApiHeaders.EXPIRE_TIME, expireTime.toString());
		}
	}

}
