package dev.agentsessions.vertex.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.Turn;
import dev.agentsessions.vertex.ReasoningEngine;
import dev.agentsessions.vertex.event.WireTime;
import dev.agentsessions.vertex.memory.MemoryFields.MemoryNames;

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

	/**
	 * Metadata, whose values have types here and none in the dialect of ADK. A time is
	 * stored with its type. The user chooses the names, so they are never converted.
	 */
	static final class MemoryMetadata {

		private static final String STRING = "stringValue";

		private static final String NUMBER = "doubleValue";

		private static final String FLAG = "boolValue";

		private static final String TIME = "timestampValue";

		private static final Pattern DECIMAL = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

		private MemoryMetadata() {
		}

		/** Returns the metadata of a request without types; JSON null if it has none. */
		static JsonText plain(JsonObject request) {
			JsonObject typed = request.object(MemoryFields.METADATA);
			if (typed == null) {
				return JsonText.NULL;
			}
			Map<String, JsonText> values = new LinkedHashMap<>();
			typed.members().forEach((name, value) -> {
				if (!value.isNull()) {
					values.put(name, plain(typed.requiredObject(name).renamed(MemoryNames.VALUE), typed.pathOf(name)));
				}
			});
			return new JsonObject("", values).toJson();
		}

		private static JsonText plain(JsonObject value, String path) {
			List<String> types = List.of(STRING, NUMBER, FLAG, TIME)
				.stream()
				.filter((type) -> value.get(type) != null)
				.toList();
			if (types.size() != 1) {
				throw new JsonException.InvalidShape(path,
						"must have one of " + String.join(", ", STRING, NUMBER, FLAG, TIME));
			}
			return switch (types.get(0)) {
				case STRING -> JsonStrings.of(value.requiredString(STRING));
				case FLAG -> new JsonText(Boolean.toString(value.flag(FLAG)));
				case NUMBER -> number(value);
				default -> JsonObject.ofTexts(Map.of(TIME, WireTime.read(value, TIME).toString())).toJson();
			};
		}

		private static JsonText number(JsonObject value) {
			JsonText number = value.required(NUMBER);
			if (number.isString() || !DECIMAL.matcher(number.text()).matches()) {
				throw new JsonException.InvalidShape(value.pathOf(NUMBER), "must be a number");
			}
			return number;
		}

		/**
		 * Returns stored metadata with types. Other dialects may store lists and objects,
		 * which become texts.
		 */
		static Map<String, Object> typed(JsonText metadata) {
			Map<String, Object> values = new LinkedHashMap<>();
			JsonObject.of(metadata).members().forEach((name, value) -> {
				if (!value.isNull()) {
					values.put(name, typedValue(value));
				}
			});
			return values;
		}

		private static Object typedValue(JsonText value) {
			if (value.isObject()) {
				JsonObject time = JsonObject.of(value);
				JsonText text = time.get(TIME);
				return (time.members().size() == 1 && text != null && text.isString()) ? value
						: Map.of(STRING, value.text());
			}
			if (value.isString()) {
				return Map.of(STRING, value);
			}
			if (value.isArray()) {
				return Map.of(STRING, value.text());
			}
			boolean isFlag = value.text().equals("true") || value.text().equals("false");
			return Map.of(isFlag ? FLAG : NUMBER, value);
		}

	}

}
