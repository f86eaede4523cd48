package dev.agentsessions.adk;

import java.util.List;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.BatchAppendResult;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionService;

/** Appends many events to one session, all or none. */
@RestController
class EventBatchController {

	private final SessionService sessions;

	EventBatchController(SessionService sessions) {
		this.sessions = sessions;
	}

	@PostMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}/events:batch")
	BatchResponse appendEvents(@PathVariable String appName, @PathVariable String userId,
			@PathVariable String sessionId,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
			@RequestParam(required = false) @Nullable String lastUpdateTime, @RequestBody JsonObject body,
			HttpServletResponse response) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		List<NewEvent> events = events(body);
		BatchAppendResult appended = IfMatch.of(ifMatch, lastUpdateTime)
			.apply((precondition) -> this.sessions.appendAll(key, events, precondition.withoutDetails()));
		EntityTag.set(response, appended.version());
		if (appended.replayed()) {
			AppendResponse.markReplayed(response);
		}
		return BatchResponse.from(appended);
	}

	private static List<NewEvent> events(JsonObject body) {
		List<JsonObject> events = BodyNames.EVENTS.check(body).objects(RequestFields.EVENTS);
		if (events.isEmpty()) {
			throw new JsonException.InvalidShape(RequestFields.EVENTS, "is required and must have at least one event");
		}
		return events.stream().map(BodyNames::checkEvent).map(NewEvent::of).toList();
	}

}
