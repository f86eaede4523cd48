package dev.agentsessions.session.lifecycle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;

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
	 * A request names an event that is not the first of its invocation. A rewind to the
	 * middle of an invocation is not possible: an agent that reads a rewind leaves out
	 * all events from the first one of the named invocation on.
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
