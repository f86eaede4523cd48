package dev.agentsessions.security.caller;

import dev.agentsessions.session.Access;

/** How far a caller may go within their apps. */
public enum Role {

	/** Reads the metrics of the service, and no data of any app. */
	METRICS,

	/** Reads. */
	READER,

	/** Reads and writes the sessions of one user at a time. */
	AGENT,

	/** May do everything, for all users together, too. */
	ADMINISTRATOR;

	/** Whether this role goes so far. */
	public boolean permits(Access access) {
		return switch (access) {
			case READ -> this != METRICS;
			case WRITE -> this == AGENT || this == ADMINISTRATOR;
			case ADMINISTER -> this == ADMINISTRATOR;
		};
	}

	/** The name by which Spring Security knows the role. */
	String authority() {
		return "ROLE_" + name();
	}

}
