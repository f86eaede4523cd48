package dev.agentsessions.session;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * Who may do what. The service asks before it does anything, so that all dialects obey
 * the same rules, whatever their paths say. Who calls is known to the policy.
 */
public interface AccessPolicy {

	/**
	 * Refuses a session that the caller may not touch.
	 * @throws SessionException.NotFound if it is somebody else's, whether or not there is
	 * one
	 * @throws AccessException.Forbidden if the app is not one of the caller's, or the
	 * role does not go so far
	 */
	void check(Access access, SessionKey key);

	/**
	 * Refuses what belongs to a user or an app if the caller may not touch it.
	 * @throws AccessException.Forbidden if they may not
	 */
	void check(Access access, StateOwner owner);

	/**
	 * Refuses a change of the state of a session if it goes beyond what the caller may
	 * touch: what a delta changes for all users of the app is not the session's alone.
	 * @throws AccessException.Forbidden if they may not
	 */
	default void check(SessionKey key, StateDelta delta) {
		if (!delta.in(StateScope.APP).isEmpty()) {
			check(Access.WRITE, key.app());
		}
	}

	/**
	 * Refuses a caller whose role does not go so far, or who has no access to the app,
	 * whatever it is about. Asked before a session is looked for, so that the answer does
	 * not tell whether there is one.
	 * @throws AccessException.Forbidden if they may not
	 */
	void checkRole(Access access, String appName);

	/** The only user whose data the caller may touch; empty if they speak for all. */
	Optional<String> onlyUser();

	/** What tells the caller from all others, the same on every replica. */
	String caller();

	/**
	 * Whether the credentials of the current request are good at a time. May be asked
	 * later and on any thread: a token ends, and an API key is removed.
	 */
	Predicate<Instant> credentials();

	/** Whether the caller may know that there is an app of this name. */
	boolean knows(String appName);

}
