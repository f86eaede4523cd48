package dev.agentsessions.adk.search;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.fact.FactBody;
import dev.agentsessions.search.fact.FactChange;
import dev.agentsessions.search.fact.NewFact;
import dev.agentsessions.session.Expiry;
import dev.agentsessions.web.DetailsFields;

/** Reads the bodies of requests that create and change facts. */
final class FactRequest {

	private FactRequest() {
	}

	/** Reads a new fact; without an id it gets a random one. */
	static NewFact create(JsonObject body) {
		JsonObject fields = KnownFields.FACT.read(body, "");
		String id = fields.string("id");
		return new NewFact((id != null) ? id : UUID.randomUUID().toString(), FactBody.of(fields), expiry(fields));
	}

	static FactChange change(JsonObject body) {
		JsonObject fields = KnownFields.FACT_CHANGE.read(body, "");
		boolean never = fields.members().containsKey(DetailsFields.TTL) && fields.get(DetailsFields.TTL) == null;
		return new FactChange(fields, never ? Expiry.NEVER : expiry(fields));
	}

	private static @Nullable Expiry expiry(JsonObject fields) {
		JsonText ttl = fields.get(DetailsFields.TTL);
		return (ttl != null) ? Expiry.after(DetailsFields.duration(ttl.stringOrText())) : null;
	}

}
