package dev.agentsessions.session.event;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.json.LenientFields;

/**
 * Events that are copied to a session with another name. ADK stores values of its own in
 * {@code customMetadata}, such as the stamps with which {@code ToolCallIntegrityPlugin}
 * ties function calls to their session. In a copy they would be wrong, and the plugin
 * would refuse the next run. So a copy gets the mark of restored events instead, as when
 * ADK itself restores events. Source: {@code mark_restored} of ADK Python 2.13.
 */
public final class RestoredEvents {

	/**
	 * The beginning of the names of values that only ADK writes. Other events are not
	 * changed by {@link #of}.
	 */
	public static final String INTERNAL = "__adk_internal_";

	private static final String MARK = INTERNAL + "restored_event";

	private RestoredEvents() {
	}

	/** Returns the copy of an event: the same text if ADK has added nothing to it. */
	public static JsonText of(JsonText body) {
		if (!body.text().contains(INTERNAL)) {
			return body;
		}
		JsonObject event = JsonObject.of(body);
		JsonObject metadata = LenientFields.object(event, EventFields.CUSTOM_METADATA);
		return (metadata != null && metadata.members().keySet().stream().anyMatch(RestoredEvents::isInternal))
				? event.with(EventFields.CUSTOM_METADATA, marked(metadata)).toJson() : body;
	}

	private static JsonText marked(JsonObject metadata) {
		Map<String, JsonText> members = new LinkedHashMap<>(metadata.members());
		members.keySet().removeIf(RestoredEvents::isInternal);
		return new JsonObject("", members).with(MARK, new JsonText("true")).toJson();
	}

	private static boolean isInternal(String name) {
		return name.startsWith(INTERNAL);
	}

}
