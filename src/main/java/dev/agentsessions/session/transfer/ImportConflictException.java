package dev.agentsessions.session.transfer;

import java.util.Objects;

/** What is to be imported is there already, and is something else. */
public final class ImportConflictException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param difference what is not the same, as a sentence for the client
	 */
	public ImportConflictException(String difference) {
		super(difference, null, false, false);
	}

	/** What is not the same, for the client. */
	@Override
	public String getMessage() {
		return Objects.requireNonNull(super.getMessage());
	}

}
