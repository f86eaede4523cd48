package dev.agentsessions.session;

/** What a caller is refused because of who they are, whatever it is about. */
public abstract sealed class AccessException extends SessionException {

	private AccessException(Kind kind, String message) {
		super(kind, message);
	}

	/** Nobody knows who calls: credentials are missing or not valid. */
	public static final class Unauthenticated extends AccessException {

		public Unauthenticated(String message) {
			super(Kind.UNAUTHENTICATED, message);
		}

	}

	/** The caller is known, and may not do that. */
	public static final class Forbidden extends AccessException {

		public Forbidden(String message) {
			super(Kind.FORBIDDEN, message);
		}

	}

	/** The caller asks too often. A retry will succeed later. */
	public static final class RateLimited extends AccessException {

		public RateLimited(String message) {
			super(Kind.RATE_LIMITED, message);
		}

	}

}
