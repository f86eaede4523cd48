package dev.agentsessions.vertex.event;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.state.StateDelta.RemovalMarker;
import dev.agentsessions.vertex.event.FieldReaders.StandardBase64;
import dev.agentsessions.vertex.event.RawEvent.ParsedEvent;

/**
 * Converts events from and to the form of ADK Java up to 1.8, which differs from that of
 * all other clients. It has no null in a state: in a state delta, null removes the key,
 * and a state with a null makes its session service fail. Source:
 * {@code SessionJsonConverter.java} of ADK Java 1.8.
 */
final class AdkJavaEvents {

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
		JsonObject delta = event.actions().object(EventFields.STATE_DELTA);
		if (delta == null || delta.members().isEmpty()) {
			return event;
		}
		JsonObject changed = delta.changed((members) -> members.replaceAll((key, value) -> change.apply(value)));
		return event.withActions(event.actions().with(EventFields.STATE_DELTA, changed.asJson()));
	}

	/**
	 * Converts binary data from and to the form of ADK Java up to 1.8: encoded twice, and
	 * without its MIME type. If data is encoded once, ADK Java cannot read the session.
	 */
	static final class JavaBlobs {

		private static final JsonText UNKNOWN_TYPE = JsonStrings.of("application/octet-stream");

		private JavaBlobs() {
		}

		/** Converts the data of an event of ADK Java to the form of all other clients. */
		static JsonObject fromJava(JsonObject event) {
			return withParts(event, JavaBlobs::decoded);
		}

		/** Converts the data of an event to the form of ADK Java. */
		static JsonObject toJava(JsonObject event) {
			return withParts(event, JavaBlobs::encoded);
		}

		private static JsonObject withParts(JsonObject event, Function<String, JsonText> change) {
			JsonObject content = event.object(EventFields.CONTENT);
			if (content == null || content.get(EventFields.PARTS) == null) {
				return event;
			}
			JsonText parts = FieldReaders
				.objects(content.objects(EventFields.PARTS).stream().map((part) -> withData(part, change)));
			return event.with(EventFields.CONTENT, content.with(EventFields.PARTS, parts).asJson());
		}

		private static JsonObject withData(JsonObject part, Function<String, JsonText> change) {
			JsonObject blob = part.object(EventFields.INLINE_DATA);
			String data = (blob != null) ? blob.string(EventFields.DATA) : null;
			if (blob == null || data == null) {
				return part;
			}
			JsonObject changed = blob.with(EventFields.DATA, change.apply(data));
			JsonObject typed = (blob.get(EventFields.MIME_TYPE) != null) ? changed
					: changed.with(EventFields.MIME_TYPE, UNKNOWN_TYPE);
			return part.with(EventFields.INLINE_DATA, typed.asJson());
		}

		/**
		 * Data that is not Base64 after one decoding was encoded once, and stays as it
		 * is.
		 */
		private static JsonText decoded(String data) {
			try {
				String once = new String(Base64.getDecoder().decode(data), StandardCharsets.ISO_8859_1);
				Base64.getDecoder().decode(once);
				return StandardBase64.quoted(once);
			}
			catch (IllegalArgumentException ex) {
				return JsonStrings.of(data);
			}
		}

		private static JsonText encoded(String data) {
			return StandardBase64
				.quoted(Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.ISO_8859_1)));
		}

	}

}
