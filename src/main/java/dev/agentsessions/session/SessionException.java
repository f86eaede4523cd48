package dev.agentsessions.session;

import java.time.Instant;
import java.util.Objects;

/**
 * What can go wrong with a session, apart from a fault of ours. Messages are written for
 * the client.
 */
public abstract class SessionException extends RuntimeException {

	private final Kind kind;

	public SessionException(Kind kind, String message) {
		super(message);
		this.kind = kind;
	}

	/** What is wrong, for the client. */
	@Override
	public final String getMessage() {
		return Objects.requireNonNull(super.getMessage());
	}

	/** What went wrong, for dialects that answer every kind in their own way. */
	public final Kind kind() {
		return this.kind;
	}

	/** The kinds of what can go wrong, one for each exception. */
	public enum Kind {

		NOT_FOUND, AMBIGUOUS, EVENT_NOT_FOUND, PART_NOT_FOUND, INVOCATION_NOT_FOUND, ALREADY_EXISTS, STALE,
		EVENT_ID_CONFLICT, SESSION_BUSY, LEASE_LOST, INVALID_ARGUMENT, TOO_LARGE, PRECONDITION_REQUIRED,
		UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED, UNAVAILABLE

	}

	/** There is no such session, or it has expired, or it is somebody else's. */
	public static final class NotFound extends SessionException {

		public NotFound() {
			super(Kind.NOT_FOUND, "Session not found");
		}

	}

	/**
	 * Several users of the app have a session with this id, so the id alone says too
	 * little.
	 */
	public static final class Ambiguous extends SessionException {

		public Ambiguous(String sessionId) {
			super(Kind.AMBIGUOUS, "Several users have a session with the id '" + sessionId
					+ "'. It can only be reached together with its user.");
		}

	}

	/** The session has no such event, or there is no such session. */
	public static final class EventNotFound extends SessionException {

		public EventNotFound() {
			super(Kind.EVENT_NOT_FOUND, "Event not found");
		}

	}

	/** A session with this id exists already. */
	public static final class AlreadyExists extends SessionException {

		public AlreadyExists(String sessionId) {
			super(Kind.ALREADY_EXISTS, "Session already exists: " + sessionId);
		}

	}

	/** The session has changed since the caller read it; nothing was written. */
	public static final class Stale extends SessionException {

		private final transient Precondition precondition;

		private final transient SessionVersion version;

		private final Instant lastUpdateTime;

		private final long seenRevision;

		/**
		 * Creates the exception.
		 * @param precondition what the caller took for the newest
		 * @param version the version the session has
		 * @param lastUpdateTime the last update time the session has
		 * @param seenRevision the newest revision that the caller can have seen
		 */
		public Stale(Precondition precondition, SessionVersion version, Instant lastUpdateTime, long seenRevision) {
			super(Kind.STALE, "The session has been modified in storage since it was loaded. "
					+ "Please reload the session before appending more events.");
			this.precondition = precondition;
			this.version = version;
			this.lastUpdateTime = lastUpdateTime;
			this.seenRevision = seenRevision;
		}

		/** What the caller took for the newest. */
		public Precondition precondition() {
			return this.precondition;
		}

		/** The version the session has now. */
		public SessionVersion version() {
			return this.version;
		}

		/** The last update time the session has now. */
		public Instant lastUpdateTime() {
			return this.lastUpdateTime;
		}

		/** The revision the caller has seen: the events after it are the missed ones. */
		public long seenRevision() {
			return this.seenRevision;
		}

	}

	/** The event id is taken by an event with other content. */
	public static final class EventIdConflict extends SessionException {

		public EventIdConflict(String eventId) {
			super(Kind.EVENT_ID_CONFLICT,
					"An event with the id '" + eventId + "' and other content is already in the session");
		}

	}

	/** A value breaks a rule. */
	public static final class InvalidArgument extends SessionException {

		/**
		 * Creates the exception.
		 * @param field what the value is
		 * @param rule the rule it breaks, as the end of a sentence that begins with it
		 */
		public InvalidArgument(String field, String rule) {
			super(Kind.INVALID_ARGUMENT, field + " " + rule);
		}

	}

	/** A body, or a part of it, is larger than a limit. */
	public static final class TooLarge extends SessionException {

		/**
		 * Creates the exception.
		 * @param what what is too large
		 * @param limit how large it may be
		 * @param unit what is counted
		 * @param setting the setting of the limit
		 */
		public TooLarge(String what, long limit, String unit, String setting) {
			super(Kind.TOO_LARGE, "%s has more than %d %s, the limit (%s)".formatted(what, limit, unit, setting));
		}

	}

	/** Appends have to say which revision they follow. */
	public static final class PreconditionRequired extends SessionException {

		public PreconditionRequired() {
			super(Kind.PRECONDITION_REQUIRED, "This service accepts appends only with a precondition");
		}

	}

	/**
	 * The database cannot be reached or is too busy, or something else that the service
	 * needs. A retry may succeed.
	 */
	public static final class Unavailable extends SessionException {

		public Unavailable(Throwable cause) {
			this("The session store is not available at the moment. Please retry.", cause);
		}

		public Unavailable(String message, Throwable cause) {
			super(Kind.UNAVAILABLE, message);
			initCause(cause);
		}

		public Unavailable(String message) {
			super(Kind.UNAVAILABLE, message);
		}

	}

}
