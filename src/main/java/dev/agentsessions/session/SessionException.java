package dev.agentsessions.session;

import java.time.Instant;

/**
 * What can go wrong with a session, apart from a fault of ours. Messages are written for
 * the client.
 */
public abstract sealed class SessionException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private SessionException(String message) {
		super(message);
	}

	/** There is no such session, or it has expired, or it is somebody else's. */
	public static final class NotFound extends SessionException {

		private static final long serialVersionUID = 1L;

		public NotFound() {
			super("Session not found");
		}

	}

	/**
	 * Several users of the app have a session with this id, so the id alone says too
	 * little.
	 */
	public static final class Ambiguous extends SessionException {

		private static final long serialVersionUID = 1L;

		public Ambiguous(String sessionId) {
			super("Several users have a session with the id '" + sessionId
					+ "'. It can only be reached together with its user.");
		}

	}

	/** The session has no such event, or there is no such session. */
	public static final class EventNotFound extends SessionException {

		private static final long serialVersionUID = 1L;

		public EventNotFound() {
			super("Event not found");
		}

	}

	/** A session with this id exists already. */
	public static final class AlreadyExists extends SessionException {

		private static final long serialVersionUID = 1L;

		public AlreadyExists(String sessionId) {
			super("Session already exists: " + sessionId);
		}

	}

	/** The session has changed since the caller read it; nothing was written. */
	public static final class Stale extends SessionException {

		private static final long serialVersionUID = 1L;

		private final transient Precondition precondition;

		private final transient AppendOutcome.Stale current;

		public Stale(Precondition precondition, AppendOutcome.Stale current) {
			super("The session has been modified in storage since it was loaded. "
					+ "Please reload the session before appending more events.");
			this.precondition = precondition;
			this.current = current;
		}

		/** What the caller took for the newest. */
		public Precondition precondition() {
			return this.precondition;
		}

		/** The revision the session has now. */
		public long revision() {
			return this.current.revision();
		}

		/** The last update time the session has now. */
		public Instant lastUpdateTime() {
			return this.current.lastUpdateTime();
		}

		/** The revision the caller has seen: the events after it are the missed ones. */
		public long seenRevision() {
			return this.current.seenRevision();
		}

	}

	/** The event id is taken by an event with other content. */
	public static final class EventIdConflict extends SessionException {

		private static final long serialVersionUID = 1L;

		public EventIdConflict(String eventId) {
			super("An event with the id '" + eventId + "' and other content is already in the session");
		}

	}

	/** A value breaks a rule. */
	public static final class InvalidArgument extends SessionException {

		private static final long serialVersionUID = 1L;

		private final String field;

		/**
		 * Creates the exception.
		 * @param field the parameter or field
		 * @param rule the rule it breaks, as the end of a sentence that begins with it
		 */
		public InvalidArgument(String field, String rule) {
			super(field + " " + rule);
			this.field = field;
		}

		public String field() {
			return this.field;
		}

	}

	/** A body has the wrong shape: a field is missing or of the wrong type. */
	public static final class InvalidShape extends SessionException {

		private static final long serialVersionUID = 1L;

		private final String field;

		private final String rule;

		/**
		 * Creates the exception.
		 * @param field the field, with dots between levels, blank for the body itself
		 * @param rule what it has to be
		 */
		public InvalidShape(String field, String rule) {
			super(field.isEmpty() ? "The body " + rule : field + " " + rule);
			this.field = field;
			this.rule = rule;
		}

		public String field() {
			return this.field;
		}

		public String rule() {
			return this.rule;
		}

	}

	/** A body is not JSON, or not UTF-8. */
	public static final class MalformedJson extends SessionException {

		private static final long serialVersionUID = 1L;

		public MalformedJson(String reason) {
			super("The body is not valid JSON: " + reason);
		}

	}

	/** A body, or a part of it, is larger than a limit. */
	public static final class PayloadTooLarge extends SessionException {

		private static final long serialVersionUID = 1L;

		/**
		 * Creates the exception.
		 * @param what what is too large
		 * @param limit how large it may be
		 * @param unit what is counted
		 * @param setting the setting of the limit
		 */
		public PayloadTooLarge(String what, long limit, String unit, String setting) {
			super("%s has more than %d %s, the limit (%s)".formatted(what, limit, unit, setting));
		}

	}

	/** Appends have to say which revision they follow. */
	public static final class PreconditionRequired extends SessionException {

		private static final long serialVersionUID = 1L;

		public PreconditionRequired() {
			super("This service accepts appends only with If-Match or lastUpdateTime");
		}

	}

	/** Nobody knows who calls: credentials are missing or not valid. */
	public static final class Unauthenticated extends SessionException {

		private static final long serialVersionUID = 1L;

		public Unauthenticated(String message) {
			super(message);
		}

	}

	/** The caller is known, and may not do that. */
	public static final class Forbidden extends SessionException {

		private static final long serialVersionUID = 1L;

		public Forbidden(String message) {
			super(message);
		}

	}

	/** The caller asks too often. A retry will succeed later. */
	public static final class RateLimited extends SessionException {

		private static final long serialVersionUID = 1L;

		public RateLimited(String message) {
			super(message);
		}

	}

	/**
	 * The database cannot be reached or is too busy, or something else that the service
	 * needs. A retry may succeed.
	 */
	public static final class Unavailable extends SessionException {

		private static final long serialVersionUID = 1L;

		public Unavailable(Throwable cause) {
			this("The session store is not available at the moment. Please retry.", cause);
		}

		public Unavailable(String message, Throwable cause) {
			super(message);
			initCause(cause);
		}

		public Unavailable(String message) {
			super(message);
		}

	}

}
