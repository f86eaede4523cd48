package dev.agentsessions.vertex.event;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * Moves the fields that ADK Python and TypeScript hide in {@code customMetadata}, because
 * the protocol has no field for them: the token usage of the model, and the summary of
 * earlier events (compaction). Source: {@code vertex_ai_session_service.py} of ADK Python
 * 2.13.
 */
final class InternalMetadata {

	private static final String CUSTOM = "customMetadata";

	private static final String USAGE = "usageMetadata";

	private static final String HIDDEN_USAGE = "_usage_metadata";

	private static final String COMPACTION = "compaction";

	private static final String HIDDEN_COMPACTION = "_compaction";

	private InternalMetadata() {
	}

	/** Moves the hidden fields to their fields in ADK. */
	static ParsedEvent toStored(ParsedEvent event) {
		JsonObject custom = event.fields().objectIfAny(CUSTOM);
		if (custom == null || (custom.get(HIDDEN_USAGE) == null && custom.get(HIDDEN_COMPACTION) == null)) {
			return event;
		}
		ParsedEvent stored = event.withFields(revealed(event.fields(), custom));
		JsonObject compaction = custom.objectIfAny(HIDDEN_COMPACTION);
		return (compaction != null)
				? stored.withActions(event.actions().with(COMPACTION, Messages.COMPACTION.read(compaction).asJson()))
				: stored;
	}

	private static JsonObject revealed(JsonObject event, JsonObject custom) {
		Map<String, JsonText> stored = new LinkedHashMap<>(event.members());
		JsonObject own = custom.without(Set.of(HIDDEN_USAGE, HIDDEN_COMPACTION));
		stored.put(CUSTOM, own.asJson());
		if (own.members().isEmpty()) {
			stored.remove(CUSTOM);
		}
		JsonText usage = custom.get(HIDDEN_USAGE);
		if (usage != null) {
			stored.put(USAGE, FieldReaders.plain(usage));
		}
		return new JsonObject(event.path(), stored);
	}

	/**
	 * Hides the fields again, except for ADK Rust, which hides nothing in the custom
	 * metadata and compares it with a copy.
	 */
	static ParsedEvent fromStored(ParsedEvent event) {
		if (RustEvent.isIn(event.raw())) {
			return event;
		}
		JsonObject fields = event.fields();
		JsonObject withUsage = hide(fields, HIDDEN_USAGE, fields.get(USAGE));
		return event.withFields(hide(withUsage, HIDDEN_COMPACTION, event.actions().get(COMPACTION)));
	}

	private static JsonObject hide(JsonObject event, String name, @Nullable JsonText value) {
		if (value == null) {
			return event;
		}
		JsonObject custom = event.objectIfAny(CUSTOM);
		JsonObject own = (custom != null) ? custom : new JsonObject(CUSTOM, Map.of());
		return event.with(CUSTOM, own.with(name, value).asJson());
	}

}
