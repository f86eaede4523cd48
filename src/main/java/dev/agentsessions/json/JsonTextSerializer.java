package dev.agentsessions.json;

import java.nio.charset.StandardCharsets;

import org.springframework.boot.jackson.JacksonComponent;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Writes a kept JSON value as it was sent. */
@JacksonComponent
class JsonTextSerializer extends ValueSerializer<JsonText> {

	/** Characters. A longer text is encoded bit by bit, in less memory. */
	private static final int LONG = 1 << 16;

	@Override
	public void serialize(JsonText value, JsonGenerator json, SerializationContext context) {
		if (value.text().length() < LONG) {
			json.writeRawValue(new EncodedText(value.text()));
		}
		else {
			json.writeRawValue(value.text());
		}
	}

	/** Jackson encodes character by character, Java does it several times as fast. */
	private static final class EncodedText extends SerializedString {

		EncodedText(String text) {
			super(text);
			this._unquotedUTF8Ref = text.getBytes(StandardCharsets.UTF_8);
		}

	}

}
