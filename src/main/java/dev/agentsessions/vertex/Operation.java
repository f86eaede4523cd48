package dev.agentsessions.vertex;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.vertex.event.WireEvents.ApiVersion;

/**
 * A long-running operation. In this service it has always ended already. Source:
 * {@code google.longrunning.Operation}.
 *
 * @param name its name
 * @param metadata the metadata of its kind
 * @param done always {@code true}; ADK Java only checks that it is present
 * @param response its result
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Operation(String name, @Nullable Map<String, Object> metadata, boolean done, Result response) {

	private static final String TYPE = "@type";

	private static final String EMPTY = "type.googleapis.com/google.protobuf.Empty";

	/** Returns the operation that created a session. */
	static Operation created(String name, ApiVersion version, SessionResource session) {
		Map<String, String> times = Map.of("createTime", session.createTime(), "updateTime", session.createTime());
		Map<String, Object> metadata = Map.of(TYPE, version.type("CreateSessionOperationMetadata"), "genericMetadata",
				times);
		return new Operation(name, metadata, true, new Result(version.type("Session"), session));
	}

	/** Returns the operation that deleted a session. */
	static Operation deleted(String name, ApiVersion version) {
		return new Operation(name, Map.of(TYPE, version.type("DeleteOperationMetadata")), true,
				new Result(EMPTY, null));
	}

	/** Returns an operation that has ended, without its result. */
	static Operation ended(String name) {
		return new Operation(name, null, true, new Result(EMPTY, null));
	}

	/**
	 * The result of an operation.
	 *
	 * @param type the type of the message
	 * @param session its fields; {@code null} if it has none
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Result(@JsonProperty(TYPE) String type, @JsonUnwrapped @Nullable SessionResource session) {
	}

	/**
	 * The name of an operation. Its id contains all data of the operation, so every
	 * replica can return it.
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
						? Optional.of(new OperationName(Action.valueOf(parts[0]), parts[1], parts[2]))
						: Optional.empty();
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
		 * Returns the name in the location of an engine. ADK Rust from 2.0 on requires it
		 * for creations; deletions have it for all clients.
		 */
		String inLocation(ReasoningEngine engine) {
			return engine.locationName() + "/operations/" + id();
		}

		/**
		 * Returns the name in the session. ADK Java, Python and Go read the session id
		 * from it.
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

}
