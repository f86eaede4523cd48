package dev.agentsessions.vertex.event;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.event.EventFields;

/**
 * The copy of the event in its own form that ADK Rust puts in the raw event, and compares
 * with every other field when it reads the event. If the content has data without a field
 * in its version of the API, such as the id of a function call, ADK Rust sends the
 * content only in this copy. Source: {@code vertex.rs} of adk-session 2.3.
 */
final class RustEvent {

	private static final String COPY = "_adkRust";

	private static final JsonText CANONICAL = JsonStrings.of("canonical");

	private RustEvent() {
	}

	/** Returns whether an event with this raw copy came from ADK Rust. */
	static boolean isIn(@Nullable JsonObject raw) {
		return copy(raw) != null;
	}

	/**
	 * Returns whether ADK Rust expects the content of an event only in its own copy.
	 */
	static boolean hasContentFor(@Nullable JsonObject raw) {
		JsonObject copy = copy(raw);
		return copy != null && !CANONICAL.equals(copy.get("contentSource"));
	}

	/**
	 * Returns the content of the copy in the form of all other clients; {@code null} if
	 * it has none or it is malformed.
	 */
	static @Nullable JsonText content(@Nullable JsonObject raw) {
		JsonObject copy = copy(raw);
		if (copy == null) {
			return null;
		}
		try {
			String text = copy.string("adkEvent");
			JsonObject content = (text != null) ? JsonObject.parse(text).object(EventFields.CONTENT) : null;
			return (content != null) ? translated(content) : null;
		}
		catch (JsonException.InvalidShape | JsonException.Malformed ex) {
			return null;
		}
	}

	private static JsonText translated(JsonObject content) {
		return content
			.with(EventFields.PARTS,
					FieldReaders.objects(content.objects(EventFields.PARTS).stream().map(RustPart::translated)))
			.asJson();
	}

	private static @Nullable JsonObject copy(@Nullable JsonObject raw) {
		return (raw != null) ? raw.objectIfAny(COPY) : null;
	}

	/**
	 * Converts a part of a content from ADK Rust's own form. Source: {@code types.rs} of
	 * adk-core 2.3.
	 */
	static final class RustPart {

		private RustPart() {
		}

		/**
		 * Returns the part in the form of all other clients; a part without such a form
		 * stays unchanged.
		 */
		static JsonObject translated(JsonObject part) {
			if (part.get("thinking") != null) {
				return object(EventFields.TEXT, part.get("thinking"), EventFields.THOUGHT, JsonText.TRUE,
						"thoughtSignature", part.get("signature"));
			}
			if (part.get("file_uri") != null) {
				return object(EventFields.FILE_DATA, object(EventFields.MIME_TYPE, part.get("mime_type"),
						EventFields.FILE_URI, part.get("file_uri")));
			}
			if (part.get("mime_type") != null && part.get(EventFields.DATA) != null) {
				return object(EventFields.INLINE_DATA, object(EventFields.MIME_TYPE, part.get("mime_type"),
						EventFields.DATA, base64(part.required(EventFields.DATA))));
			}
			if (part.get("name") != null && part.get("args") != null) {
				JsonObject call = object("id", part.get("id"), "name", part.get("name"), "args", part.get("args"));
				return object(EventFields.FUNCTION_CALL, call, "thoughtSignature", part.get("thought_signature"));
			}
			JsonObject response = part.object(EventFields.FUNCTION_RESPONSE);
			if (response != null) {
				return object(EventFields.FUNCTION_RESPONSE, object("id", part.get("id"), "name", response.get("name"),
						"response", response.get("response")));
			}
			return part;
		}

		/** Returns an object of alternating names and values, without null values. */
		private static JsonObject object(@Nullable Object... members) {
			Map<String, JsonText> object = new LinkedHashMap<>();
			for (int i = 0; i < members.length; i += 2) {
				Object value = members[i + 1];
				if (value != null) {
					object.put((String) members[i],
							(value instanceof JsonObject inner) ? inner.asJson() : (JsonText) value);
				}
			}
			return new JsonObject("", object);
		}

		/** ADK Rust writes bytes as an array of numbers. */
		private static JsonText base64(JsonText numbers) {
			List<JsonText> elements = numbers.elements(EventFields.DATA);
			byte[] bytes = new byte[elements.size()];
			for (int i = 0; i < bytes.length; i++) {
				bytes[i] = octet(elements.get(i).text());
			}
			return JsonStrings.of(Base64.getEncoder().encodeToString(bytes));
		}

		private static byte octet(String number) {
			try {
				return (byte) Integer.parseInt(number);
			}
			catch (NumberFormatException ex) {
				throw new JsonException.InvalidShape(EventFields.DATA, "must be an array of octets");
			}
		}

	}

}
