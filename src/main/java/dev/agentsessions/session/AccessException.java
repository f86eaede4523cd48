package dev.agentsessions.session;

/** A refusal because of who the caller is, whatever the request is about. */
public abstract sealed class AccessException extends SessionException {

	private AccessException(Kind kind, String message) {
		super(kind, message);
	}

	/** The caller is unknown: credentials are missing or not valid. */
	public static final class Unauthenticated extends AccessException {

		public Unauthenticated(String message) {
			super(Kind.UNAUTHENTICATED, message);
		}

	}

	/** The caller is known, but may not do this. */
	public static final class Forbidden extends AccessException {

		public Forbidden(String message) {
			super(Kind.FORBIDDEN, message);
		}

		/** Returns a 403: the role of the caller does not permit this. */
		public static Forbidden byRole() {
			return new Forbidden("Your role does not permit this");
		}

	}

	/** The caller sends too many requests. A retry will succeed later. */
	public static final class RateLimited extends AccessException {

		public RateLimited(String message) {
			super(Kind.RATE_LIMITED, message);
		}

	}

}
