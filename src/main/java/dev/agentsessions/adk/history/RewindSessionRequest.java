package dev.agentsessions.adk.history;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.history.HistoryService;
import dev.agentsessions.session.history.InvocationStart;
import dev.agentsessions.session.history.RewindRequest;

/**
 * The body of a request that rewinds a session. It names an invocation, or the event with
 * which an invocation begins.
 *
 * @param invocationId the invocation right before which the session is restored;
 * {@code null} if the body names an event
 * @param start the first event of the invocation; {@code null} if the body names an
 * invocation
 * @param eventId the id of the event that is appended; {@code null} for a new id
 */
record RewindSessionRequest(@Nullable String invocationId, @Nullable InvocationStart start, @Nullable String eventId) {

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
			throw new JsonException.InvalidShape(named.get(1), "cannot be used together with " + named.get(0));
		}
		if (named.isEmpty()) {
			throw new JsonException.InvalidShape(KnownFields.BEFORE_INVOCATION_ID,
					"is required, or " + KnownFields.BEFORE_SEQ + ", or " + KnownFields.BEFORE_EVENT_ID);
		}
		return named.get(0);
	}

	AppendResult apply(HistoryService history, SessionKey key, Precondition precondition) {
		return (this.start != null) ? history.rewind(key, this.start, this.eventId, precondition) : history.rewind(key,
				new RewindRequest(Objects.requireNonNull(this.invocationId), this.eventId), precondition);
	}

}
