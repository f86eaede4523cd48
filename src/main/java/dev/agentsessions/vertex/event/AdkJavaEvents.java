package dev.agentsessions.vertex.event;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.RemovalMarker;

/**
 * Converts events from and to the form of ADK Java up to 1.8, which differs from that of
 * all other clients. It has no null in a state: in a state delta, null removes the key,
 * and a state with a null makes its session service fail. Source:
 * {@code SessionJsonConverter.java} of ADK Java 1.8.
 */
final class AdkJavaEvents {

	private static final String STATE_DELTA = "stateDelta";

	private AdkJavaEvents() {
	}

	/** Converts an event of ADK Java to the form of all other clients. */
	static ParsedEvent fromJava(ParsedEvent event) {
		return withDelta(event.withFields(JavaBlobs.fromJava(event.fields())),
				(value) -> value.isNull() ? RemovalMarker.REMOVED : value);
	}

	/** Converts an event to the form of ADK Java. */
	static ParsedEvent toJava(ParsedEvent event) {
		return withDelta(event.withFields(JavaBlobs.toJava(event.fields())),
				(value) -> RemovalMarker.is(value) ? JsonText.NULL : value);
	}

	/** Returns the keys of a state that ADK Java can read: all without null. */
	static Map<String, JsonText> toJava(Map<String, JsonText> state) {
		Map<String, JsonText> readable = new LinkedHashMap<>(state);
		readable.values().removeIf(JsonText::isNull);
		return readable;
	}

	private static ParsedEvent withDelta(ParsedEvent event, UnaryOperator<JsonText> change) {
		JsonObject delta = event.actions().object(STATE_DELTA);
		if (delta == null || delta.members().isEmpty()) {
			return event;
		}
		Map<String, JsonText> changed = new LinkedHashMap<>(delta.members());
		changed.replaceAll((key, value) -> change.apply(value));
		return event.withActions(event.actions().with(STATE_DELTA, new JsonObject("", changed).asJson()));
	}

}
