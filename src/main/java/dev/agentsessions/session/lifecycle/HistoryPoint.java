package dev.agentsessions.session.lifecycle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StorableText;

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
		if (seq != null && seq < 0) {
			throw new SessionException.InvalidArgument("atSeq", "must not be negative");
		}
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
		if (seq > newest) {
			throw new SessionException.InvalidArgument(field,
					"must not be greater than the number of events, " + newest);
		}
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
		if (invocationId.isBlank()) {
			throw new SessionException.InvalidArgument("beforeInvocationId", "must not be blank");
		}
		if (!StorableText.test(invocationId)) {
			throw new SessionException.InvalidArgument("beforeInvocationId", StorableText.RULE);
		}
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
			if (given < 1) {
				throw new SessionException.InvalidArgument(this.field, "must be at least 1");
			}
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
				throw new SessionException.InvalidArgument(this.field,
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

}
