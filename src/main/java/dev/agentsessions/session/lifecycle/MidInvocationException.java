package dev.agentsessions.session.lifecycle;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.session.SessionException;

/**
 * A request names an event that is not the first of its invocation. A rewind to the
 * middle of an invocation is not possible: an agent that reads a rewind leaves out all
 * events from the first one of the named invocation on.
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

	/** Returns the invocation of the event and the seq with which it begins. */
	@Override
	public Map<String, Object> details() {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("invocationId", this.invocationId);
		details.put("firstSeq", this.firstSeq);
		return details;
	}

}
