package dev.agentsessions.security.caller;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Who calls.
 *
 * @param name what the caller is called in logs; counts their requests, too
 * @param role how far they may go
 * @param apps which apps they may touch; {@code *} stands for all
 * @param userId the only user whose data they may touch, {@code null} if they speak for
 * every user
 */
public record Caller(String name, Role role, Set<String> apps, @Nullable String userId) {

	private static final String ALL_APPS = "*";

	/** Whoever reaches a service without access control. */
	public static final Caller ANYBODY = new Caller("anybody", Role.ADMINISTRATOR, Set.of(ALL_APPS), null);

	/**
	 * What no other caller has. A token for all users is not the one for its own user.
	 */
	public String identity() {
		return this.role + ((this.userId != null) ? " of one user: " : ": ") + this.name;
	}

	/** Whether an app is within the caller's reach. */
	public boolean mayTouch(String appName) {
		return this.apps.contains(appName) || this.apps.contains(ALL_APPS);
	}

	/** Whether a user's data is within the caller's reach. */
	public boolean speaksFor(String user) {
		return this.userId == null || this.userId.equals(user);
	}

}
