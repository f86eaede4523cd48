package dev.agentsessions.vertex;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.vertex.event.ApiVersion;

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
record Operation(String name, @Nullable Map<String, Object> metadata, boolean done, Result response) {

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

}
