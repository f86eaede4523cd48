package dev.agentsessions.session.transfer;

import java.util.Objects;

/** An import conflicts with stored data. The message is written for the client. */
public final class ImportConflictException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param difference the difference, as a sentence
	 */
	public ImportConflictException(String difference) {
		super(difference, null, false, false);
	}

	@Override
	public String getMessage() {
		return Objects.requireNonNull(super.getMessage());
	}

}
