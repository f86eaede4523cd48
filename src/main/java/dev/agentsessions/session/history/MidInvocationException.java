package dev.agentsessions.session.history;

import dev.agentsessions.session.SessionException;

/**
 * An event was to be the first of its invocation, and is a later one. What begins in the
 * middle of an invocation cannot be rewound: an agent that meets a rewind leaves out all
 * from the first event of the invocation on that the rewind names.
 */
public final class MidInvocationException extends SessionException {

	private final String invocationId;

	private final long firstSeq;

	MidInvocationException(String field, long seq, String invocationId, long firstSeq) {
		super(Kind.INVALID_ARGUMENT,
				"%s must name the first event of an invocation; event %d is one of '%s', which begins at seq %d"
					.formatted(field, seq, invocationId, firstSeq));
		this.invocationId = invocationId;
		this.firstSeq = firstSeq;
	}

	/** The invocation of the event. */
	public String invocationId() {
		return this.invocationId;
	}

	/** The seq with which this invocation begins. */
	public long firstSeq() {
		return this.firstSeq;
	}

}
