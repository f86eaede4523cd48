package dev.agentsessions.console.view;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.StateOwner;

/**
 * Checks which actions the caller may do, so that pages offer only these. The core still
 * checks each action.
 */
@Component
public class Permissions {

	private final AccessPolicy access;

	Permissions(AccessPolicy access) {
		this.access = access;
	}

	/** Returns whether the caller may change sessions of an app. */
	public boolean mayWrite(String appName) {
		return may(() -> this.access.checkRole(Access.WRITE, appName));
	}

	/** Returns whether the caller may list the sessions of all users of an app. */
	public boolean mayListAllUsers(String appName) {
		return may(() -> this.access.check(Access.ADMINISTER, new StateOwner(appName, null)))
				&& this.access.onlyUser().isEmpty();
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
