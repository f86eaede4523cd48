package dev.agentsessions.search;

import dev.agentsessions.session.SessionException;

/** A failure of a request about a fact. */
public abstract class FactException extends SessionException {

	private FactException(Kind kind, String message) {
		super(kind, message);
	}

	/** The user has no fact with this id, or it has expired. */
	public static final class NotFound extends FactException {

		public NotFound() {
			super(Kind.MEMORY_NOT_FOUND, "Memory not found");
		}

	}

	/** Another fact with other content has the id. */
	public static final class Conflict extends FactException {

		public Conflict(String id) {
			super(Kind.ALREADY_EXISTS, "A memory with the id '" + id + "' and other content exists already");
		}

	}

	/** Facts of several users or scopes of the app have this id. */
	public static final class Ambiguous extends FactException {

		public Ambiguous(String id) {
			super(Kind.AMBIGUOUS, "Memories of several scopes have the id '" + id
					+ "'. Each can only be reached together with its user, in the dialect of ADK.");
		}

	}

	/** The user has as many facts as a user may have. */
	public static final class TooMany extends FactException {

		public TooMany(int limit) {
			super(Kind.INVALID_ARGUMENT, "The user has " + limit + " memories already, the limit");
		}

	}

}
