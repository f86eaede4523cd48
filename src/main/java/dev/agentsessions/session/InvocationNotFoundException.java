package dev.agentsessions.session;

/** The session has no event of the invocation. */
public final class InvocationNotFoundException extends SessionException {

	public InvocationNotFoundException(String invocationId) {
		super(Kind.INVOCATION_NOT_FOUND, "The session has no event of the invocation '" + invocationId + "'");
	}

}
