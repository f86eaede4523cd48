package dev.agentsessions.session.lifecycle;

import org.jspecify.annotations.Nullable;

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

}
