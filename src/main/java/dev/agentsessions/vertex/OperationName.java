package dev.agentsessions.vertex;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Which operation on which session. All that is known of an operation is in its id, so
 * every replica knows it.
 *
 * @param action what was done
 * @param engineId the id of the engine
 * @param sessionId the id of the session
 */
record OperationName(Action action, String engineId, String sessionId) {

	private static final String SEPARATOR = "/";

	private static final int PARTS = 3;

	/** Reads the last segment of a name; empty if it is not one of ours. */
	static Optional<OperationName> of(String id) {
		try {
			String[] parts = new String(Base64.getUrlDecoder().decode(id), StandardCharsets.UTF_8).split(SEPARATOR);
			return (parts.length == PARTS)
					? Optional.of(new OperationName(Action.valueOf(parts[0]), parts[1], parts[2])) : Optional.empty();
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/** The last segment of the name. */
	String id() {
		String text = String.join(SEPARATOR, this.action.name(), this.engineId, this.sessionId);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/** The name that ADK Rust from 2.0 on insists on, and deletions have everywhere. */
	String inPlaceOf(ReasoningEngine engine) {
		return engine.place() + "/operations/" + id();
	}

	/** The name out of which ADK Java, Python and Go cut the session id. */
	String inSessionOf(ReasoningEngine engine) {
		return engine.sessionName(this.sessionId) + "/operations/" + id();
	}

	/** What was done. */
	enum Action {

		/** A session was created. */
		CREATE,

		/** A session was deleted. */
		DELETE

	}

}
