package dev.agentsessions.vertex.memory;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.vertex.Operation.OperationName;
import dev.agentsessions.vertex.ReasoningEngine;

/**
 * An operation on memories, which has always ended already. Source:
 * {@code google.longrunning.Operation}.
 *
 * @param name its name
 * @param done always {@code true}
 * @param response its result, with the type of the message
 */
record MemoryOperation(String name, boolean done, Map<String, Object> response) {

	private static final String TYPE = "@type";

	/** Returns an operation whose result is a message of the API. */
	static MemoryOperation of(ReasoningEngine engine, String action, String message, Map<String, Object> result) {
		Map<String, Object> response = new LinkedHashMap<>();
		response.put(TYPE, engine.version().type(message));
		response.putAll(result);
		return new MemoryOperation(name(engine, action), true, response);
	}

	/** Returns the operation that deleted a memory. */
	static MemoryOperation deleted(ReasoningEngine engine) {
		return new MemoryOperation(name(engine, "delete"), true,
				Map.of(TYPE, "type.googleapis.com/google.protobuf.Empty"));
	}

	private static String name(ReasoningEngine engine, String action) {
		return new OperationName(OperationName.Action.MEMORY, engine.id(), action).inEngine(engine);
	}

}
