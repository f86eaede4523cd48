package dev.agentsessions.session.lifecycle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Identifiers.StorableText;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;
import dev.agentsessions.state.StateDelta;

/**
 * A moment in the history of a session. If both values are {@code null}, it is the newest
 * one.
 *
 * @param seq right after this event, 0 for the beginning
 * @param beforeInvocationId right before the first event of this invocation
 */
public record HistoryPoint(@Nullable Long seq, @Nullable String beforeInvocationId) {

	/** The newest moment. */
	public static final HistoryPoint NEWEST = new HistoryPoint(null, null);

	/**
	 * Creates a point.
	 * @throws SessionException.InvalidArgument if the id of the invocation is not
	 * allowed, or the seq is negative
	 */
	public HistoryPoint {
		InvalidArgument.check(seq == null || seq >= 0, "atSeq", "must not be negative");
		if (beforeInvocationId != null) {
			checkInvocationId(beforeInvocationId);
		}
	}

	/**
	 * Checks that a session has an event with a seq.
	 * @param field the name of the seq in the request
	 * @param newest the seq of the newest event
	 * @return the seq
	 * @throws SessionException.InvalidArgument if the seq is greater
	 */
	public static long checkSeq(String field, long seq, long newest) {
		InvalidArgument.check(seq <= newest, field, "must not be greater than the number of events, " + newest);
		return seq;
	}

	/** Returns the moment right after an event, 0 for the beginning. */
	public static HistoryPoint after(long seq) {
		return new HistoryPoint(seq, null);
	}

	/** Returns the moment right before the first event of an invocation. */
	public static HistoryPoint before(String invocationId) {
		return new HistoryPoint(null, invocationId);
	}

	static void checkInvocationId(String invocationId) {
		InvalidArgument.check(!invocationId.isBlank(), "beforeInvocationId", "must not be blank");
		StorableText.check("beforeInvocationId", invocationId);
	}

	/**
	 * The event with which an invocation begins, by its seq or by its id.
	 *
	 * @param field the name of the field in the request, for messages
	 * @param seq its seq; {@code null} if its id is given
	 * @param eventId its id; {@code null} if its seq is given
	 */
	public record InvocationStart(String field, @Nullable Long seq, @Nullable String eventId) {

		/**
		 * Creates an invocation start.
		 * @throws SessionException.InvalidArgument if no event can have the id
		 */
		public InvocationStart {
			if (eventId != null) {
				Identifiers.check(field, eventId);
			}
		}

		/** Returns the event with this seq. */
		public static InvocationStart at(String field, long seq) {
			return new InvocationStart(field, seq, null);
		}

		/** Returns the event with this id. */
		public static InvocationStart at(String field, String eventId) {
			return new InvocationStart(field, null, eventId);
		}

		/**
		 * Checks the seq.
		 * @param newest the seq of the newest event
		 * @return the seq
		 * @throws SessionException.InvalidArgument if no event has it
		 */
		public long checkSeq(long newest) {
			long given = Objects.requireNonNull(this.seq);
			InvalidArgument.check(given >= 1, this.field, "must be at least 1");
			return HistoryPoint.checkSeq(this.field, given, newest);
		}

		/**
		 * Checks that an invocation begins with a stored event.
		 * @param found the seq of the event
		 * @param invocationId its invocation
		 * @param first the seq with which this invocation begins
		 * @return the invocation
		 * @throws SessionException.InvalidArgument if the event has no invocation
		 * @throws MidInvocationException if the invocation begins before it
		 */
		public String check(long found, String invocationId, long first) {
			if (invocationId.isBlank()) {
				throw new InvalidArgument(this.field,
						"must name an event of an invocation; event " + found + " has none");
			}
			if (found != first) {
				throw new MidInvocationException(this.field, found, invocationId, first);
			}
			return invocationId;
		}

		/**
		 * A request names an event that is not the first of its invocation. A rewind to
		 * the middle of an invocation is not possible: an agent that reads a rewind
		 * leaves out all events from the first one of the named invocation on.
		 */
		public static final class MidInvocationException extends SessionException {

			private final String invocationId;

			private final long firstSeq;

			MidInvocationException(String field, long seq, String invocationId, long firstSeq) {
				super(Kind.INVALID_ARGUMENT,
						"%s must name the first event of an invocation; event %d is one of '%s', which begins at seq %d"
							.formatted(field, seq, invocationId, firstSeq));
				this.invocationId = invocationId;
				this.firstSeq = firstSeq;
			}

			/** Returns the invocation of the event and the seq with which it begins. */
			@Override
			public Map<String, Object> details() {
				Map<String, Object> details = new LinkedHashMap<>();
				details.put("invocationId", this.invocationId);
				details.put("firstSeq", this.firstSeq);
				return details;
			}

		}

	}

	/**
	 * A request to fork a session.
	 *
	 * @param source the session to copy
	 * @param point the point up to which its history is copied
	 * @param target the new session, of the same user
	 * @param details the details in which the new session differs from its source
	 * @param precondition the precondition for the source
	 * @param creation identifies repetitions of the request; {@code null} if there may be
	 * none
	 */
	public record ForkRequest(SessionName source, HistoryPoint point, SessionName target, SessionDetails details,
			Precondition precondition, @Nullable CreationId creation) {

		/** Creates a request that may not be repeated. */
		public ForkRequest(SessionName source, HistoryPoint point, SessionName target, SessionDetails details,
				Precondition precondition) {
			this(source, point, target, details, precondition, null);
		}

	}

	/**
	 * A request to rewind a session.
	 *
	 * @param beforeInvocationId right before the first event of this invocation
	 * @param eventId the id of the event that rewinds; {@code null} for a new one
	 */
	public record RewindRequest(String beforeInvocationId, @Nullable String eventId) {

		/**
		 * Creates a request.
		 * @throws SessionException.InvalidArgument if one of the ids is not allowed
		 */
		public RewindRequest {
			HistoryPoint.checkInvocationId(beforeInvocationId);
			if (eventId != null) {
				Identifiers.check("eventId", eventId);
			}
		}

		/**
		 * Returns the event that ADK Python appends for a rewind. Source: {@code
		 * rewind_session} of ADK Python 2.13.
		 * @param past the own state that the rewind restores
		 * @param now the current own state
		 * @param artifacts the artifacts that the rewind restores
		 */
		NewEvent event(Map<String, JsonText> past, Map<String, JsonText> now, RestoredArtifacts artifacts) {
			Map<String, JsonText> versions = new LinkedHashMap<>();
			artifacts.artifacts()
				.forEach((artifact) -> versions.put(artifact.name(),
						new JsonText(Integer.toString(artifact.version()))));
			JsonObject actions = EventFields.noActions()
				.with(EventFields.ARTIFACT_DELTA, new JsonObject("", versions).toJson())
				.with(EventFields.STATE_DELTA, StateDeltas.toJson(new StateDelta(delta(past, now))))
				.with(EventFields.REWIND, JsonStrings.of(this.beforeInvocationId));
			JsonObject event = JsonObject.EMPTY
				.with(EventFields.INVOCATION_ID, JsonStrings.of("e-" + UUID.randomUUID()))
				.with(EventFields.AUTHOR, JsonStrings.of(EventFields.USER))
				.with(EventFields.ACTIONS, actions.toJson());
			return NewEvent
				.of((this.eventId != null) ? event.with(EventFields.ID, JsonStrings.of(this.eventId)) : event);
		}

		/**
		 * A key that did not exist becomes null. As in ADK, a key that is null already is
		 * set to null, too.
		 */
		private static Map<String, JsonText> delta(Map<String, JsonText> past, Map<String, JsonText> now) {
			Map<String, JsonText> delta = new LinkedHashMap<>(past);
			delta.entrySet()
				.removeIf((entry) -> !entry.getValue().isNull() && entry.getValue().equals(now.get(entry.getKey())));
			now.keySet()
				.stream()
				.filter((key) -> !past.containsKey(key))
				.forEach((key) -> delta.put(key, JsonText.NULL));
			return delta;
		}

		/**
		 * Returns the event that an earlier request has stored.
		 * @param stored an event with its id
		 * @return its body
		 * @throws SessionException.EventIdConflict if it is another event
		 */
		JsonText replayed(Event stored) {
			JsonObject actions = EventFields.actions(JsonObject.of(stored.body()));
			JsonText target = Optional.ofNullable(actions.get(EventFields.REWIND)).orElse(JsonText.NULL);
			if (target.isNull() || !target.string(EventFields.REWIND).equals(this.beforeInvocationId)) {
				throw new SessionException.EventIdConflict(stored.id());
			}
			return stored.body();
		}

	}

}
