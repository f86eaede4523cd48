package dev.agentsessions.console;

import java.util.Optional;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.StateOwner;

/**
 * What the caller may do, so that no page offers what would be refused. Whoever does it
 * all the same is refused by the core.
 */
@Component
class Permissions {

	private final AccessPolicy access;

	Permissions(AccessPolicy access) {
		this.access = access;
	}

	/** Whether the caller may change sessions of an app. */
	boolean mayWrite(String appName) {
		return may(() -> this.access.checkRole(Access.WRITE, appName));
	}

	/** Whether the caller may see the sessions of all users of an app at once. */
	boolean maySeeAllUsers(String appName) {
		return may(() -> this.access.check(Access.ADMINISTER, new StateOwner(appName, null)))
				&& this.access.onlyUser().isEmpty();
	}

	/** The only user whose sessions the caller may see; empty if there are others. */
	Optional<String> onlyUser() {
		return this.access.onlyUser();
	}

	private static boolean may(Runnable check) {
		try {
			check.run();
			return true;
		}
		catch (AccessException.Forbidden ex) {
			return false;
		}
	}

}
