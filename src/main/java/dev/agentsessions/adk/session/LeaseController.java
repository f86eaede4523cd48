package dev.agentsessions.adk.session;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.adk.Preconditions;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.lifecycle.LeaseService;
import dev.agentsessions.session.lifecycle.LeaseService.Lease;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DetailsFields;

/** Grants, renews and releases the lease of a session. */
@RestController
class LeaseController {

	private static final String SESSION = "/apps/{appName}/users/{userId}/sessions/{sessionId}";

	/**
	 * Long enough for the holder to renew in time, short enough for other callers to wait
	 * for.
	 */
	private static final Duration DEFAULT_TTL = Duration.ofMinutes(1);

	private final LeaseService leases;

	LeaseController(LeaseService leases) {
		this.leases = leases;
	}

	@PostMapping(SESSION + ":acquire")
	GrantedLease acquireLease(SessionName name, Preconditions preconditions, @RequestBody @Nullable JsonObject body) {
		LeaseRequest request = read(body, preconditions.lease() != null);
		return GrantedLease.from(preconditions
			.apply((precondition) -> this.leases.acquire(name, request, precondition.withoutDetails())));
	}

	@PostMapping(SESSION + ":release")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void releaseLease(SessionName name, @RequestHeader(ApiHeaders.LEASE) String lease) {
		this.leases.release(name, Preconditions.leaseNumber(lease));
	}

	/**
	 * Reads the body of a request for the lease of a session.
	 * @param renewal whether the request renews a lease, whose holder is known
	 */
	private static LeaseRequest read(@Nullable JsonObject body, boolean renewal) {
		JsonObject fields = (body != null) ? KnownFields.ACQUIRE.read(body, "") : JsonObject.EMPTY;
		String holder = fields.string(KnownFields.HOLDER);
		InvalidShape.check(holder != null || renewal, KnownFields.HOLDER, "is required and must be a string");
		JsonText ttl = fields.get(DetailsFields.TTL);
		Boolean exclusive = (fields.get(KnownFields.EXCLUSIVE) != null) ? fields.flag(KnownFields.EXCLUSIVE) : null;
		return new LeaseRequest(holder, (ttl != null) ? DetailsFields.duration(ttl.stringOrText()) : DEFAULT_TTL,
				exclusive);
	}

	/**
	 * The response with a granted lease.
	 *
	 * @param lease its number, to be sent with each request under the lease
	 * @param holder the holder
	 * @param expireTime when the lease expires, in decimal seconds
	 * @param exclusive whether only the holder may append
	 */
	record GrantedLease(long lease, String holder, BigDecimal expireTime, boolean exclusive) {

		static GrantedLease from(Lease lease) {
			return new GrantedLease(lease.number(), Objects.requireNonNull(lease.holder()),
					Timestamps.toSeconds(Objects.requireNonNull(lease.end())), lease.exclusive());
		}

	}

}
