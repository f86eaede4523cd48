package dev.agentsessions.adk.session;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.adk.Preconditions;
import dev.agentsessions.adk.Preconditions.EntityTag;
import dev.agentsessions.adk.Preconditions.IfMatch;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.adk.event.EventController;
import dev.agentsessions.adk.event.EventController.AppendResponse;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.CreateSession.IdempotencyKey;
import dev.agentsessions.session.lifecycle.Creations.CreatedSession;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryPoint.InvocationStart;
import dev.agentsessions.session.lifecycle.HistoryPoint.RewindRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.PastSession;
import dev.agentsessions.session.lifecycle.PastSession.StateSource;
import dev.agentsessions.state.StateScope;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DetailsFields;
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
	AdkSession forkSession(SessionName source, @RequestHeader("If-Match") @Nullable String ifMatch,
			@RequestHeader(ApiHeaders.IDEMPOTENCY_KEY) @Nullable String idempotencyKey,
			@RequestParam @Nullable String lastUpdateTime, @RequestParam @Nullable Integer numRecentEvents,
			@RequestParam @Nullable Boolean includeRevision, @RequestBody @Nullable JsonObject body,
			HttpServletRequest request, HttpServletResponse response) {
		EventWindow window = QueryParameters.window(numRecentEvents, null, null, null);
		ForkSessionRequest fork = ForkSessionRequest.of(body);
		IdempotencyKey key = IdempotencyKey.of(idempotencyKey);
		SessionName target = fork.target(source, key);
		CreatedSession forked = IfMatch.of(ifMatch, lastUpdateTime)
			.apply((precondition) -> this.history
				.fork(fork.toRequest(source, target, precondition.withoutDetails(), key), window));
		response.setHeader(HttpHeaders.LOCATION, SessionPath.of(target, request));
		return SessionController.respond(forked, includeRevision, response);
	}

	@PostMapping("/{sessionId}:rewind")
	AppendResponse rewindSession(SessionName name, Preconditions preconditions, @RequestBody JsonObject body,
			HttpServletResponse response) {
		RewindSessionRequest rewind = RewindSessionRequest.of(body);
		AppendResult appended = preconditions
			.apply((precondition) -> rewind.apply(this.history, name, precondition.withoutDetails()));
		EventController.setHeaders(response, appended.version(), appended.replayed());
		return AppendResponse.from(appended);
	}

	@GetMapping("/{sessionId}/state")
	ExplainedState getSessionState(SessionName name, @RequestParam @Nullable Long atSeq, HttpServletResponse response) {
		PastSession explained = this.history.explain(name, atSeq);
		EntityTag.set(response, explained.session().version());
		return ExplainedState.from(explained, atSeq == null);
	}

	/**
	 * The body of a request that forks a session.
	 *
	 * @param point the point of the history up to which the session is copied
	 * @param sessionId the id of the new session; {@code null} for a new UUID
	 * @param details the session details (display name, labels, expiry) of the new
	 * session
	 * @param fields all fields, in camelCase
	 */
	record ForkSessionRequest(HistoryPoint point, @Nullable String sessionId, SessionDetails details,
			JsonObject fields) {

		static ForkSessionRequest of(@Nullable JsonObject body) {
			JsonObject fields = KnownFields.FORK.read(Objects.requireNonNullElse(body, JsonObject.EMPTY), "");
			JsonText seq = fields.get(KnownFields.AT_SEQ);
			String invocationId = fields.string(KnownFields.BEFORE_INVOCATION_ID);
			InvalidShape.check(seq == null || invocationId == null, KnownFields.BEFORE_INVOCATION_ID,
					"cannot be used together with " + KnownFields.AT_SEQ);
			Long number = (seq != null) ? Long.valueOf(seq.wholeNumber(KnownFields.AT_SEQ)) : null;
			return new ForkSessionRequest(new HistoryPoint(number, invocationId), fields.string(KnownFields.SESSION_ID),
					DetailsFields.read(fields), fields);
		}

		/**
		 * Returns the name of the new session, which belongs to the user of the source.
		 */
		SessionName target(SessionName source, @Nullable IdempotencyKey key) {
			return CreateSession.nameOf(source.appName(), source.userId(), this.sessionId, key);
		}

		ForkRequest toRequest(SessionName source, SessionName target, Precondition precondition,
				@Nullable IdempotencyKey key) {
			return new ForkRequest(source, this.point, target, this.details, precondition,
					(key != null) ? key.creation(content(source)) : null);
		}

		/** The copied session is part of what a fork begins with, its new id is not. */
		private JsonObject content(SessionName source) {
			return this.fields.without(Set.of(KnownFields.SESSION_ID))
				.with("source", JsonStrings.of(source.sessionId()));
		}

	}

	/**
	 * The body of a request that rewinds a session. It names an invocation, or the event
	 * with which an invocation begins.
	 *
	 * @param invocationId the invocation right before which the session is restored;
	 * {@code null} if the body names an event
	 * @param start the first event of the invocation; {@code null} if the body names an
	 * invocation
	 * @param eventId the id of the event that is appended; {@code null} for a new id
	 */
	record RewindSessionRequest(@Nullable String invocationId, @Nullable InvocationStart start,
			@Nullable String eventId) {

		private static final List<String> TARGETS = List.of(KnownFields.BEFORE_INVOCATION_ID, KnownFields.BEFORE_SEQ,
				KnownFields.BEFORE_EVENT_ID);

		static RewindSessionRequest of(JsonObject body) {
			JsonObject fields = KnownFields.REWIND.read(body, "");
			String target = target(fields);
			JsonText value = fields.required(target);
			String eventId = fields.string(KnownFields.EVENT_ID);
			String newEventId = (eventId == null || eventId.isBlank()) ? null : eventId;
			return switch (target) {
				case KnownFields.BEFORE_SEQ ->
					new RewindSessionRequest(null, InvocationStart.at(target, value.wholeNumber(target)), newEventId);
				case KnownFields.BEFORE_EVENT_ID ->
					new RewindSessionRequest(null, InvocationStart.at(target, value.string(target)), newEventId);
				default -> new RewindSessionRequest(value.string(target), null, newEventId);
			};
		}

		/** Returns the name of the only field that says where to rewind to. */
		private static String target(JsonObject fields) {
			List<String> named = TARGETS.stream().filter((name) -> fields.get(name) != null).toList();
			if (named.size() > 1) {
				throw new InvalidShape(named.get(1), "cannot be used together with " + named.get(0));
			}
			InvalidShape.check(!named.isEmpty(), KnownFields.BEFORE_INVOCATION_ID,
					"is required, or " + KnownFields.BEFORE_SEQ + ", or " + KnownFields.BEFORE_EVENT_ID);
			return named.get(0);
		}

		AppendResult apply(HistoryService history, SessionName name, Precondition precondition) {
			return (this.start != null) ? history.rewind(name, this.start, this.eventId, precondition) : history
				.rewind(name, new RewindRequest(Objects.requireNonNull(this.invocationId), this.eventId), precondition);
		}

	}

	/**
	 * The state of a session, and the event that set each key.
	 *
	 * @param seq the seq of the event right after which the session had this state, 0 for
	 * the beginning
	 * @param lastUpdateTime when that event was stored, in decimal seconds
	 * @param sharedStateCurrent {@code true} if shared keys have their current values,
	 * whichever writer set them; {@code false} if they have the values that this session
	 * had set by then
	 * @param state the keys, shared ones with their prefix
	 */
	record ExplainedState(long seq, BigDecimal lastUpdateTime, boolean sharedStateCurrent, Map<String, Value> state) {

		static ExplainedState from(PastSession explained, boolean sharedStateCurrent) {
			Session session = explained.session();
			Map<String, Value> state = new LinkedHashMap<>();
			session.state().forEach((key, value) -> state.put(key, Value.of(key, value, explained.sources().get(key))));
			return new ExplainedState(session.revision(), Timestamps.toSeconds(session.lastUpdateTime()),
					sharedStateCurrent, state);
		}

		/**
		 * The value of a key.
		 *
		 * @param scope the scope of the key: {@code session}, {@code user} or {@code app}
		 * @param value the value
		 * @param event the event of this session that set the key; {@code null} if the
		 * key was set when the session was created, or by another writer
		 */
		record Value(String scope, JsonText value, @Nullable SettingEvent event) {

			static Value of(String key, JsonText value, @Nullable StateSource source) {
				return new Value(StateScope.of(key).name().toLowerCase(Locale.ROOT), value,
						(source != null) ? SettingEvent.of(source) : null);
			}

		}

		/**
		 * The event that set a key.
		 *
		 * @param seq its seq
		 * @param eventId its id
		 * @param author its author
		 * @param timestamp the time that the sender gave it, in decimal seconds
		 */
		record SettingEvent(long seq, String eventId, String author, BigDecimal timestamp) {

			static SettingEvent of(StateSource source) {
				return new SettingEvent(source.seq(), source.eventId(), source.author(),
						Timestamps.toSeconds(source.time()));
			}

		}

	}

}
