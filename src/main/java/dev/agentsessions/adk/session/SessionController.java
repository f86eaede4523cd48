package dev.agentsessions.adk.session;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
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

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.adk.Preconditions;
import dev.agentsessions.adk.Preconditions.EntityTag;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.CreateSession.IdempotencyKey;
import dev.agentsessions.session.lifecycle.Creations.CreatedSession;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.state.StateDelta.RemovalMarker;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DetailsFields;

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
	AdkSession getSession(SessionName name, SessionParameters parameters, HttpServletRequest request,
			HttpServletResponse response) {
		EventWindow window = parameters.window();
		UnaryOperator<Event> mapper = QueryParameters.eventMapper(parameters.parts(), name, request);
		Long atSeq = parameters.atSeq();
		Session session = (atSeq != null) ? this.history.get(name, atSeq, window).session()
				: this.sessions.get(name, window);
		setHeaders(session, response);
		return AdkSession.from(session.withEvents(mapper), parameters.includeRevision(), parameters.seqs(), null);
	}

	@PatchMapping("/{sessionId}")
	AdkSession updateSession(SessionName name, Preconditions preconditions,
			@RequestParam @Nullable Boolean includeRevision, @RequestBody JsonObject body,
			HttpServletResponse response) {
		UpdateSessionRequest request = UpdateSessionRequest.of(body);
		UUID sessionKey = preconditions
			.apply((precondition) -> request.apply(this.sessions, this.events, name, precondition));
		return respond(this.sessions.get(name, sessionKey, EventWindow.ALL), includeRevision, response);
	}

	@DeleteMapping("/{sessionId}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void deleteSession(SessionName name, Preconditions preconditions) {
		preconditions.apply((precondition) -> this.sessions.delete(name, precondition));
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

	/**
	 * The body of a request that updates a session.
	 *
	 * @param stateDelta the keys to set and to remove, which are appended as an event;
	 * {@code null} for none
	 * @param details the changed session details (display name, labels, expiry)
	 */
	record UpdateSessionRequest(@Nullable JsonObject stateDelta, SessionDetails details) {

		static UpdateSessionRequest of(JsonObject body) {
			JsonObject fields = KnownFields.UPDATE.read(body, "");
			JsonObject stateDelta = withRemovals(fields.object(KnownFields.STATE_DELTA), fields);
			SessionDetails details = DetailsFields.read(fields);
			InvalidShape.check(stateDelta != null || !details.equals(SessionDetails.NONE), KnownFields.STATE_DELTA,
					"is required and must be a JSON object");
			return new UpdateSessionRequest(stateDelta, details);
		}

		private static @Nullable JsonObject withRemovals(@Nullable JsonObject stateDelta, JsonObject fields) {
			JsonText keys = fields.get(KnownFields.REMOVE_KEYS);
			if (keys == null) {
				return stateDelta;
			}
			Map<String, JsonText> changes = new LinkedHashMap<>((stateDelta != null) ? stateDelta.members() : Map.of());
			for (String key : keys.strings(KnownFields.REMOVE_KEYS)) {
				JsonText other = changes.put(key, RemovalMarker.REMOVED);
				if (other != null && !RemovalMarker.is(other)) {
					throw new InvalidShape(KnownFields.REMOVE_KEYS,
							"must not name " + JsonStrings.quote(key) + ", which stateDelta sets");
				}
			}
			return new JsonObject(KnownFields.STATE_DELTA, changes);
		}

		UUID apply(SessionService sessions, EventService events, SessionName name, Precondition precondition) {
			if (this.stateDelta == null) {
				return sessions.updateDetails(name, this.details, precondition);
			}
			NewEvent event = NewEvent.ofStateDelta(this.stateDelta);
			return events.append(name, new AppendRequest(event, precondition, this.details)).version().sessionKey();
		}

	}

	/**
	 * The body of a request that creates a session.
	 *
	 * @param fields its fields, in camelCase
	 */
	record CreateSessionRequest(JsonObject fields) {

		/**
		 * A body without {@code state} has named fields only if all of them are in this
		 * set.
		 */
		private static final Set<String> FIELDS_WITHOUT_STATE = Set.of(KnownFields.EVENTS, KnownFields.SESSION_ID);

		private static final String OR_RAW = " If the body is the state itself, say bodyStyle=raw.";

		/** Reads a body with named fields. */
		static CreateSessionRequest of(@Nullable JsonObject body) {
			return of(body, "");
		}

		/**
		 * Reads the body of the route with the session id in the path. In ADK Python,
		 * this body is the state itself; everywhere else, it has named fields.
		 * @param style {@code raw} for the state itself, {@code wrapped} for named
		 * fields, {@code null} to decide by the fields
		 */
		static CreateSessionRequest ofPathWithId(@Nullable JsonObject body, @Nullable String style) {
			return (body != null && isRawState(body, style))
					? new CreateSessionRequest(JsonObject.EMPTY.with(KnownFields.STATE, body.toJson()))
					: of(body, (style != null) ? "" : OR_RAW);
		}

		private static CreateSessionRequest of(@Nullable JsonObject body, String hint) {
			return new CreateSessionRequest(
					(body != null) ? withOptions(KnownFields.CREATE.read(body, hint)) : JsonObject.EMPTY);
		}

		/** Returns the fields with the options among them, which mean the same there. */
		private static JsonObject withOptions(JsonObject fields) {
			JsonObject options = fields.object(KnownFields.OPTIONS);
			if (options == null) {
				return fields;
			}
			Map<String, JsonText> all = new LinkedHashMap<>(fields.without(Set.of(KnownFields.OPTIONS)).members());
			KnownFields.CREATE_OPTIONS.read(options, "").members().forEach((name, option) -> {
				JsonText field = all.getOrDefault(name, JsonText.NULL);
				if (!field.isNull() && !option.isNull() && !field.isSameValueAs(option)) {
					throw new InvalidShape(options.pathOf(name), "must not contradict " + name);
				}
				all.put(name, option.isNull() ? field : option);
			});
			return new JsonObject(fields.path(), all);
		}

		/** Returns the command for a session whose id is in the body, if anywhere. */
		CreateSession toCreateSession(String appName, String userId, @Nullable IdempotencyKey key) {
			return toCreateSession(appName, userId, this.fields.string(KnownFields.SESSION_ID), key);
		}

		/** Returns the command for a session whose id is in the path. */
		CreateSession toCreateSessionWithId(String appName, String userId, String sessionId,
				@Nullable IdempotencyKey key) {
			String idInBody = this.fields.string(KnownFields.SESSION_ID);
			InvalidArgument.check(idInBody == null || idInBody.strip().equals(sessionId.strip()),
					KnownFields.SESSION_ID, "must be the one in the path");
			return toCreateSession(appName, userId, sessionId, key);
		}

		private CreateSession toCreateSession(String appName, String userId, @Nullable String sessionId,
				@Nullable IdempotencyKey key) {
			return new CreateSession(CreateSession.nameOf(appName, userId, sessionId, key),
					StateDeltas.of(this.fields.object(KnownFields.STATE)),
					this.fields.objects(KnownFields.EVENTS)
						.stream()
						.map(KnownFields::checkEvent)
						.map(NewEvent::of)
						.toList(),
					DetailsFields.read(this.fields),
					(key != null) ? key.creation(this.fields.without(Set.of(KnownFields.SESSION_ID))) : null);
		}

		private static boolean isRawState(JsonObject body, @Nullable String style) {
			return (style != null) ? !QueryParameters.isSecond("bodyStyle", style, "raw", "wrapped") : isRawState(body);
		}

		/**
		 * Decides as if all names were spelled correctly, so that a misspelled field does
		 * not become a key of the state.
		 */
		private static boolean isRawState(JsonObject body) {
			Map<String, JsonText> fields = new HashMap<>();
			body.members().forEach((name, value) -> fields.put(KnownFields.CREATE.nearest(name), value));
			JsonText state = fields.get(KnownFields.STATE);
			if (state == null) {
				return !FIELDS_WITHOUT_STATE.containsAll(fields.keySet());
			}
			boolean object = state.isNull() || state.isObject();
			return !object || !KnownFields.CREATE.known().containsAll(fields.keySet());
		}

	}

	/**
	 * The query parameters of the read of a session.
	 *
	 * @param numRecentEvents the maximum number of events, the newest ones
	 * @param afterTimestamp only events with this timestamp or a later one
	 * @param fromSeq only events with this seq or a greater one
	 * @param view {@code full}, the default, or {@code context}: only events that a model
	 * sees
	 * @param atSeq the session as it was after the event with this seq
	 * @param parts {@code full}, the default, or {@code light}: without large data
	 * @param includeRevision whether the body has the revision
	 * @param seqs whether the body has the seq of each event
	 */
	record SessionParameters(@Nullable Integer numRecentEvents, @Nullable String afterTimestamp, @Nullable Long fromSeq,
			@Nullable String view, @Nullable Long atSeq, @Nullable String parts, @Nullable Boolean includeRevision,
			@Nullable Boolean seqs) {

		EventWindow window() {
			return QueryParameters.window(this.numRecentEvents, this.afterTimestamp, this.view, this.fromSeq);
		}

	}

}
