package dev.agentsessions.session;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

import dev.agentsessions.session.Session.SessionVersion;

/**
 * A failure of a request about a session, other than an error of the service. Messages
 * are written for the client.
 */
public abstract class SessionException extends RuntimeException {

	private final Kind kind;

	public SessionException(Kind kind, String message) {
		super(message);
		this.kind = kind;
	}

	@Override
	public final String getMessage() {
		return Objects.requireNonNull(super.getMessage());
	}

	/** Returns the kind of the failure, which each dialect answers in its own way. */
	public final Kind kind() {
		return this.kind;
	}

	/** Returns after how many seconds a retry may succeed; empty if it is unknown. */
	public OptionalLong retryAfter() {
		return OptionalLong.empty();
	}

	/** Returns values that a client can use besides the message, by name, in order. */
	public Map<String, Object> details() {
		return Map.of();
	}

	/** The kinds of failures. Each belongs to a category. */
	public enum Kind {

		NOT_FOUND(Category.MISSING), EVENT_NOT_FOUND(Category.MISSING), PART_NOT_FOUND(Category.MISSING),
		INVOCATION_NOT_FOUND(Category.MISSING), MEMORY_NOT_FOUND(Category.MISSING),
		ARTIFACT_NOT_FOUND(Category.MISSING), AMBIGUOUS(Category.AMBIGUOUS), ALREADY_EXISTS(Category.TAKEN),
		EVENT_ID_CONFLICT(Category.TAKEN), STALE(Category.CONFLICT), SESSION_BUSY(Category.CONFLICT),
		STALE_ARTIFACT(Category.CONFLICT), LEASE_LOST(Category.CONFLICT), INVALID_ARGUMENT(Category.INVALID),
		TOO_LARGE(Category.TOO_LARGE), QUOTA_EXCEEDED(Category.TOO_LARGE),
		PRECONDITION_REQUIRED(Category.PRECONDITION_REQUIRED), UNAUTHENTICATED(Category.UNAUTHENTICATED),
		FORBIDDEN(Category.FORBIDDEN), RATE_LIMITED(Category.RATE_LIMITED), UNAVAILABLE(Category.UNAVAILABLE);

		private final Category category;

		Kind(Category category) {
			this.category = category;
		}

		public Category category() {
			return this.category;
		}

	}

	/**
	 * The category of an error, for dialects that do not tell all kinds apart.
	 * {@code TAKEN} is an id that is in use. With {@code CONFLICT}, the request does not
	 * fit the session as it is now.
	 */
	public enum Category {

		MISSING, AMBIGUOUS, TAKEN, CONFLICT, INVALID, TOO_LARGE, PRECONDITION_REQUIRED, UNAUTHENTICATED, FORBIDDEN,
		RATE_LIMITED, UNAVAILABLE

	}

	/** The session does not exist, has expired, or belongs to another user. */
	public static final class NotFound extends SessionException {

		public NotFound() {
			super(Kind.NOT_FOUND, "Session not found");
		}

	}

	/**
	 * Several users of the app have a session with this id, so the id alone is not
	 * enough.
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
			this(sessionId, "");
		}

		private AlreadyExists(String sessionId, String why) {
			super(Kind.ALREADY_EXISTS, "Session already exists: " + sessionId + why);
		}

		/** The request that created it had the same idempotency key. */
		public static AlreadyExists withOtherContent(String sessionId) {
			return new AlreadyExists(sessionId,
					". It was created with the same Idempotency-Key, but not with the same content");
		}

	}

	/** The session has changed since the caller read it. Nothing was written. */
	public static final class Stale extends SessionException {

		private final transient Precondition precondition;

		private final transient SessionVersion version;

		private final long seenRevision;

		/**
		 * Creates the exception.
		 * @param precondition the precondition of the caller
		 * @param version the current version of the session
		 * @param seenRevision the newest revision that the caller can have seen
		 */
		public Stale(Precondition precondition, SessionVersion version, long seenRevision) {
			super(Kind.STALE, "The session has been modified in storage since it was loaded. "
					+ "Please reload the session before appending more events.");
			this.precondition = precondition;
			this.version = version;
			this.seenRevision = seenRevision;
		}

		/** Returns the precondition of the caller. */
		public Precondition precondition() {
			return this.precondition;
		}

		/** Returns the current version of the session. */
		public SessionVersion version() {
			return this.version;
		}

		/** Returns the current last update time of the session. */
		public Instant lastUpdateTime() {
			return this.version.lastUpdateTime();
		}

		/**
		 * Returns the revision that the caller has seen: it has missed the events after
		 * it.
		 */
		public long seenRevision() {
			return this.seenRevision;
		}

	}

	/** Another event has the event id. */
	public static final class EventIdConflict extends SessionException {

		/** For an event of the session with other content. */
		public EventIdConflict(String eventId) {
			super(Kind.EVENT_ID_CONFLICT,
					"An event with the id '" + eventId + "' and other content is already in the session");
		}

		private EventIdConflict(Kind kind, String message) {
			super(kind, message);
		}

		/** For another event of the same request. */
		public static EventIdConflict withinRequest(String eventId) {
			return new EventIdConflict(Kind.EVENT_ID_CONFLICT,
					"Two events of the request have the id '" + eventId + "'");
		}

	}

	/** A value breaks a rule. */
	public static final class InvalidArgument extends SessionException {

		/**
		 * Creates the exception.
		 * @param field the name of the value
		 * @param rule the broken rule, as the end of a sentence that begins with the
		 * field
		 */
		public InvalidArgument(String field, String rule) {
			super(Kind.INVALID_ARGUMENT, field + " " + rule);
		}

		/**
		 * Refuses a value that breaks a rule.
		 * @param isValid whether the value follows the rule
		 * @param field the name of the value
		 * @param rule the rule, as the end of a sentence that begins with the field
		 * @throws InvalidArgument if the value does not follow the rule
		 */
		public static void check(boolean isValid, String field, String rule) {
			if (!isValid) {
				throw new InvalidArgument(field, rule);
			}
		}

	}

	/**
	 * A list or a watch goes on after an event that the session does not have any more,
	 * although it exists: the database was restored, or a failover has lost the event.
	 */
	public static final class HistoryChanged extends SessionException {

		public HistoryChanged() {
			super(Kind.INVALID_ARGUMENT,
					"The history of the session has changed: the database was restored, or has lost"
							+ " the newest events. Read the session again, and the list from its beginning.");
		}

	}

	/** A body, or a part of it, exceeds a limit. */
	public static final class TooLarge extends SessionException {

		/**
		 * Creates the exception.
		 * @param what the part that exceeds the limit
		 * @param limit the limit
		 * @param unit the unit of the limit
		 * @param setting the setting of the limit
		 */
		public TooLarge(String what, long limit, String unit, String setting) {
			super(Kind.TOO_LARGE, "%s has more than %d %s, the limit (%s)".formatted(what, limit, unit, setting));
		}

	}

	/** The service accepts no append without a precondition. */
	public static final class PreconditionRequired extends SessionException {

		public PreconditionRequired() {
			super(Kind.PRECONDITION_REQUIRED, "This service accepts appends only with a precondition");
		}

	}

	/**
	 * The database, or something else that the service needs, is unreachable or too busy.
	 * A retry may succeed.
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

		@Override
		public OptionalLong retryAfter() {
			return OptionalLong.of(1);
		}

	}

	/** The session has no event of the invocation. */
	public static final class InvocationNotFound extends SessionException {

		public InvocationNotFound(String invocationId) {
			super(Kind.INVOCATION_NOT_FOUND, "The session has no event of the invocation '" + invocationId + "'");
		}

	}

	/** The event has no such part, or no data in it. */
	public static final class PartNotFound extends SessionException {

		public PartNotFound() {
			super(Kind.PART_NOT_FOUND, "The event has no part with data at this index");
		}

	}

}
