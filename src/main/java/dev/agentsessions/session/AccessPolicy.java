package dev.agentsessions.session;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.agentsessions.state.StateDelta;

/**
 * Decides which actions the caller of the current request may do. The services ask it
 * before they do anything, so that all dialects obey the same rules, whatever their paths
 * say. The policy knows the caller.
 */
public interface AccessPolicy {

	/**
	 * Refuses a session that the caller may not access.
	 * @throws SessionException.NotFound if it belongs to another user, whether or not it
	 * exists
	 * @throws AccessException.Forbidden if the caller has no access to the app, or its
	 * role does not allow this
	 */
	void check(Access access, SessionName name);

	/**
	 * Refuses data of a user or an app that the caller may not access.
	 * @throws AccessException.Forbidden if the caller may not access it
	 */
	void check(Access access, StateOwner owner);

	/**
	 * Refuses the sessions of a user that the caller may not access, or of all users of
	 * an app, which are for administrators.
	 * @param access the access that the caller needs to the sessions of one user
	 * @throws AccessException.Forbidden if the caller may not access them
	 */
	default void checkSessions(Access access, StateOwner owner) {
		check((owner.userId() != null) ? access : Access.ADMINISTER, owner);
	}

	/**
	 * Refuses a change of state that goes beyond the access of the caller: a delta can
	 * also change state that the session shares with others.
	 * @throws AccessException.Forbidden if the caller may not change it
	 */
	default void check(SessionName name, StateDelta delta) {
		for (StateOwner owner : delta.isEmpty() ? List.<StateOwner>of() : name.owners()) {
			if (!delta.in(owner.scope()).isEmpty()) {
				check(Access.WRITE, owner);
			}
		}
	}

	/**
	 * Refuses a caller whose role does not allow this, or that has no access to the app,
	 * whatever the request is about. Called before a session is looked up, so that the
	 * response does not reveal whether it exists.
	 * @throws AccessException.Forbidden if the caller may not do this
	 */
	void checkRole(Access access, String appName);

	/**
	 * Returns the only user whose data the caller may access; empty if it may access all
	 * users.
	 */
	Optional<String> onlyUser();

	/**
	 * Returns how the caller sees the secrets of credentials. People and callers that may
	 * only read see masks.
	 */
	Secrets secrets();

	/** Returns a text that identifies the caller, the same on every replica. */
	String caller();

	/**
	 * Returns a text that identifies for whom the current request works; empty outside of
	 * a request. A caller that may access only its own data is meant itself. For each
	 * other caller, such as an agent, and without access control, the user or else the
	 * app counts, too, whose data was checked last.
	 */
	Optional<String> beneficiary();

	/**
	 * Returns whether the credentials of the current request are valid at a time. The
	 * predicate may be called later and on any thread: tokens expire, and operators
	 * remove API keys.
	 */
	Predicate<Instant> credentials();

	/** Returns whether the caller may know that there is an app of this name. */
	boolean mayAccessApp(String appName);

	/** The kind of access that a caller needs. */
	enum Access {

		/** Read it. */
		READ,

		/** Create, change or delete it. */
		WRITE,

		/** Read the sessions of all users at once, or erase a user. */
		ADMINISTER

	}

	/** A refusal because of who the caller is, whatever the request is about. */
	abstract sealed class AccessException extends SessionException {

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

}
