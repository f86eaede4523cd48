package dev.agentsessions.vertex.event;

import java.util.function.UnaryOperator;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/** Changes the parts of what was said in an event. */
final class ContentParts {

	private static final String CONTENT = "content";

	private static final String PARTS = "parts";

	private ContentParts() {
	}

	/** A copy of an event with other parts. */
	static JsonObject withParts(JsonObject event, UnaryOperator<JsonObject> change) {
		JsonObject content = event.object(CONTENT);
		if (content == null || content.get(PARTS) == null) {
			return event;
		}
		JsonText parts = FieldReaders.array(content.objects(PARTS).stream().map(change).map(JsonObject::toJson));
		return event.with(CONTENT, content.with(PARTS, parts).toJson());
	}

}
