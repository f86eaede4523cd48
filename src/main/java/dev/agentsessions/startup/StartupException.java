package dev.agentsessions.startup;

import org.jspecify.annotations.Nullable;

/** The service does not start, and the operator can correct the reason. */
public class StartupException extends RuntimeException {

	private final String action;

	/**
	 * Creates the exception.
	 * @param reason why the service does not start
	 * @param action what the operator does about it
	 */
	public StartupException(String reason, String action) {
		this(reason, action, null);
	}

	/**
	 * Creates the exception with a cause.
	 * @param reason why the service does not start
	 * @param action what the operator does about it
	 */
	public StartupException(String reason, String action, @Nullable Throwable cause) {
		super(reason, cause);
		this.action = action;
	}

	/** What the operator does about it. */
	public String action() {
		return this.action;
	}

}
