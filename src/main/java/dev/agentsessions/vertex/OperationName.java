package dev.agentsessions.vertex;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The name of an operation. Its id contains all data of the operation, so every replica
 * can return it.
 *
 * @param action the action of the operation
 * @param engineId the id of the engine
 * @param sessionId the id of the session, or the name of an operation on memories
 */
public record OperationName(Action action, String engineId, String sessionId) {

	private static final String SEPARATOR = "/";

	private static final int PART_COUNT = 3;

	/** Parses the last segment of a name; empty if this service did not issue it. */
	static Optional<OperationName> of(String id) {
		try {
			String[] parts = new String(Base64.getUrlDecoder().decode(id), StandardCharsets.UTF_8).split(SEPARATOR);
			return (parts.length == PART_COUNT)
					? Optional.of(new OperationName(Action.valueOf(parts[0]), parts[1], parts[2])) : Optional.empty();
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/** Returns the last segment of the name. */
	String id() {
		String text = String.join(SEPARATOR, this.action.name(), this.engineId, this.sessionId);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Returns the name in the location of an engine. ADK Rust from 2.0 on requires it for
	 * creations; deletions have it for all clients.
	 */
	String inLocation(ReasoningEngine engine) {
		return engine.locationName() + "/operations/" + id();
	}

	/**
	 * Returns the name in the session. ADK Java, Python and Go read the session id from
	 * it.
	 */
	String inSession(ReasoningEngine engine) {
		return engine.sessionName(this.sessionId) + "/operations/" + id();
	}

	/** Returns the name in the engine, for operations on memories. */
	public String inEngine(ReasoningEngine engine) {
		return engine.name() + "/operations/" + id();
	}

	/** The action of an operation. */
	public enum Action {

		/** The creation of a session. */
		CREATE,

		/** The deletion of a session. */
		DELETE,

		/** A change of memories, whose result only its own response has. */
		MEMORY

	}

}
