package dev.agentsessions.security;

import dev.agentsessions.session.AccessPolicy.Access;

/** The permissions of a caller within its apps. */
public enum Role {

	/** Reads the metrics of the service, and no data of any app. */
	METRICS,

	/** Reads sessions. */
	READER,

	/** Reads and writes the sessions of one user at a time. */
	AGENT,

	/** Has all permissions, including operations on all users together. */
	ADMINISTRATOR;

	/** Returns whether this role permits an access. */
	public boolean permits(Access access) {
		return switch (access) {
			case READ -> this != METRICS;
			case WRITE -> this == AGENT || this == ADMINISTRATOR;
			case ADMINISTER -> this == ADMINISTRATOR;
		};
	}

	/** Returns the name of the role in Spring Security. */
	String authority() {
		return "ROLE_" + name();
	}

}
