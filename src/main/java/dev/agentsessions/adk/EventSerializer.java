package dev.agentsessions.adk;

import org.springframework.boot.jackson.JacksonComponent;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

import dev.agentsessions.session.Event;

/** Writes the body of a stored event without changes. */
@JacksonComponent
class EventSerializer extends ValueSerializer<Event> {

	@Override
	public void serialize(Event event, JsonGenerator json, SerializationContext context) {
		context.writeValue(json, event.body());
	}

}
