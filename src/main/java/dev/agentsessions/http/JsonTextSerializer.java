package dev.agentsessions.http;

import org.springframework.boot.jackson.JacksonComponent;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

import dev.agentsessions.state.JsonText;

/** Writes a kept JSON value as it was sent. */
@JacksonComponent
class JsonTextSerializer extends ValueSerializer<JsonText> {

	@Override
	public void serialize(JsonText value, JsonGenerator json, SerializationContext context) {
		json.writeRawValue(value.text());
	}

}
