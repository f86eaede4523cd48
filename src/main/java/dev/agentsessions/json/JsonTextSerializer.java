package dev.agentsessions.json;

import java.nio.charset.StandardCharsets;

import org.springframework.boot.jackson.JacksonComponent;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Writes a JSON value as the text in which it was sent. */
@JacksonComponent
class JsonTextSerializer extends ValueSerializer<JsonText> {

	/** From this length on, a text is encoded in parts, which takes less memory. */
	private static final int LONG_TEXT_CHARS = 1 << 16;

	@Override
	public void serialize(JsonText value, JsonGenerator json, SerializationContext context) {
		if (value.length() < LONG_TEXT_CHARS) {
			json.writeRawValue(new EncodedText(value.text()));
		}
		else {
			json.writeRawValue("");
			value.write((text, from, to) -> json.writeRaw(text, from, to - from));
		}
	}

	/**
	 * Encodes a text with Java, several times as fast as Jackson's encoding of single
	 * characters.
	 */
	private static final class EncodedText extends SerializedString {

		EncodedText(String text) {
			super(text);
			this._unquotedUTF8Ref = text.getBytes(StandardCharsets.UTF_8);
		}

	}

}
