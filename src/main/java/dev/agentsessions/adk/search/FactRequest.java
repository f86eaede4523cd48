package dev.agentsessions.adk.search;

import java.util.UUID;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.fact.FactBody;
import dev.agentsessions.search.fact.FactChange;
import dev.agentsessions.search.fact.NewFact;
import dev.agentsessions.web.DetailsFields;

/** Reads the bodies of requests that create and change facts. */
final class FactRequest {

	private FactRequest() {
	}

	/** Reads a new fact; without an id it gets a random one. */
	static NewFact create(JsonObject body) {
		JsonObject fields = KnownFields.FACT.read(body, "");
		String id = fields.string("id");
		return new NewFact((id != null) ? id : UUID.randomUUID().toString(), FactBody.of(fields),
				DetailsFields.expiry(fields));
	}

	static FactChange change(JsonObject body) {
		JsonObject fields = KnownFields.FACT_CHANGE.read(body, "");
		return new FactChange(fields, DetailsFields.expiry(fields));
	}

}
