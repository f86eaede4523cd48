package dev.agentsessions.adk.history;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.history.ForkRequest;
import dev.agentsessions.session.history.HistoryPoint;
import dev.agentsessions.session.manage.CreateSession;
import dev.agentsessions.session.manage.IdempotencyKey;
import dev.agentsessions.web.DetailsFields;

/**
 * The body of a request that forks a session.
 *
 * @param point the point of the history up to which the session is copied
 * @param sessionId the id of the new session; {@code null} for a new UUID
 * @param details the session details (display name, labels, expiry) of the new session
 * @param fields all fields, in camelCase
 */
record ForkSessionRequest(HistoryPoint point, @Nullable String sessionId, SessionDetails details, JsonObject fields) {

	static ForkSessionRequest of(@Nullable JsonObject body) {
		JsonObject fields = KnownFields.FORK.read((body != null) ? body : JsonObject.parse("{}"), "");
		JsonText seq = fields.get(KnownFields.AT_SEQ);
		String invocationId = fields.string(KnownFields.BEFORE_INVOCATION_ID);
		if (seq != null && invocationId != null) {
			throw new JsonException.InvalidShape(KnownFields.BEFORE_INVOCATION_ID,
					"cannot be used together with " + KnownFields.AT_SEQ);
		}
		Long number = (seq != null) ? Long.valueOf(seq.wholeNumber(KnownFields.AT_SEQ)) : null;
		return new ForkSessionRequest(new HistoryPoint(number, invocationId), fields.string(KnownFields.SESSION_ID),
				DetailsFields.read(fields), fields);
	}

	/** Returns the key of the new session, which belongs to the user of the source. */
	SessionKey target(SessionKey source, @Nullable IdempotencyKey key) {
		return CreateSession.key(source.appName(), source.userId(), this.sessionId, key);
	}

	ForkRequest toRequest(SessionKey source, SessionKey target, Precondition precondition,
			@Nullable IdempotencyKey key) {
		return new ForkRequest(source, this.point, target, this.details, precondition,
				(key != null) ? key.creation(content(source)) : null);
	}

	/** The copied session is part of what a fork begins with, its new id is not. */
	private JsonObject content(SessionKey source) {
		return this.fields.without(Set.of(KnownFields.SESSION_ID)).with("source", JsonStrings.of(source.sessionId()));
	}

}
