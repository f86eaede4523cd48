package dev.agentsessions.vertex.event;

import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonShape;
import dev.agentsessions.openapi.ApiDescription;
import dev.agentsessions.openapi.SchemaOfShape;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventShapes;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** The OpenAPI document has the fields of each message of an event. */
@HttpTest
class DocumentedMessagesTests {

	private final ApiDescription api;

	DocumentedMessagesTests(Http http) {
		this.api = ApiDescription.of(http, "vertex");
	}

	@Test
	void hasTheFieldsOfAnEvent() {
		Set<String> sent = Messages.EVENT.names("name");
		SchemaOfShape.assertHasFields(this.api, "EventInput", EventShapes.EVENT, sent);
		SchemaOfShape.assertHasFields(this.api, "Event", EventShapes.EVENT, Messages.EVENT.names());
	}

	@Test
	void hasTheFieldsOfItsParts() {
		SchemaOfShape.assertHasFields(this.api, "EventMetadata",
				EventShapes.EVENT.with(JsonShape.OBJECT, EventFields.CUSTOM_METADATA), Messages.METADATA.names());
		// The protocol has another name for it
		SchemaOfShape.assertHasFields(this.api, "Actions", EventShapes.ACTIONS,
				Messages.ACTIONS.names(EventFields.TRANSFER_TO_AGENT));
		SchemaOfShape.assertHasFields(this.api, "Content", EventShapes.EVENT.at(EventFields.CONTENT));
	}

}
