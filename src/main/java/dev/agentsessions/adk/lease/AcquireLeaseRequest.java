package dev.agentsessions.adk.lease;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.lease.LeaseRequest;
import dev.agentsessions.web.DetailsFields;

/** Reads the body of a request for the lease of a session. */
final class AcquireLeaseRequest {

	private static final JsonObject NOTHING = JsonObject.parse("{}");

	/**
	 * Long enough for the holder to renew in time, short enough for other callers to wait
	 * for.
	 */
	private static final Duration DEFAULT_TTL = Duration.ofMinutes(1);

	private AcquireLeaseRequest() {
	}

	/**
	 * Reads the body.
	 * @param renewal whether the request renews a lease, whose holder is known
	 */
	static LeaseRequest read(@Nullable JsonObject body, boolean renewal) {
		JsonObject fields = (body != null) ? KnownFields.ACQUIRE.read(body, "") : NOTHING;
		String holder = fields.string(KnownFields.HOLDER);
		if (holder == null && !renewal) {
			throw new JsonException.InvalidShape(KnownFields.HOLDER, "is required and must be a string");
		}
		JsonText ttl = fields.get(DetailsFields.TTL);
		Boolean exclusive = (fields.get(KnownFields.EXCLUSIVE) != null) ? fields.flag(KnownFields.EXCLUSIVE) : null;
		return new LeaseRequest(holder, (ttl != null) ? DetailsFields.duration(ttl.stringOrText()) : DEFAULT_TTL,
				exclusive);
	}

}
