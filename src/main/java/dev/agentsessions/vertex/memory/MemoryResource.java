package dev.agentsessions.vertex.memory;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.Turn;
import dev.agentsessions.vertex.ReasoningEngine;

/** Writes memories of the protocol, without any null. */
final class MemoryResource {

	private MemoryResource() {
	}

	/** Returns a fact as a memory. */
	static Map<String, Object> of(ReasoningEngine engine, MemoryScope scope, Fact fact) {
		Map<String, Object> memory = memory(engine, scope, fact.id(), fact.body().said().text());
		addIfAny(memory, "displayName", fact.body().fields().get("displayName"));
		addIfAny(memory, "description", fact.body().fields().get("description"));
		JsonText metadata = fact.body().metadata();
		addIfAny(memory, "metadata", (metadata != null) ? MemoryMetadata.typed(metadata) : null);
		addIfAny(memory, "topics", fact.body().fields().get("topics"));
		memory.put("createTime", fact.createTime().toString());
		memory.put("updateTime", fact.updateTime().toString());
		addIfAny(memory, "expireTime", (fact.expireTime() != null) ? fact.expireTime().toString() : null);
		return memory;
	}

	/** Returns the texts of an event as a memory. */
	static Map<String, Object> of(ReasoningEngine engine, MemoryScope scope, Turn turn) {
		Map<String, Object> memory = memory(engine, scope, turn.id(), turn.said().text());
		String time = turn.time().toString();
		memory.put("createTime", time);
		memory.put("updateTime", time);
		return memory;
	}

	private static Map<String, Object> memory(ReasoningEngine engine, MemoryScope scope, String id, String fact) {
		Map<String, Object> memory = new LinkedHashMap<>();
		memory.put("name", engine.name() + "/memories/" + id);
		memory.put("scope", scope.names());
		memory.put("fact", fact);
		return memory;
	}

	private static void addIfAny(Map<String, Object> memory, String name, @Nullable Object value) {
		if (value != null) {
			memory.put(name, value);
		}
	}

}
