package dev.agentsessions.adk;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.http.DetailsFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.CreateSession;
import dev.agentsessions.session.ForkRequest;
import dev.agentsessions.session.HistoryPoint;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;

/**
 * The body of a request that forks a session.
 *
 * @param point up to where
 * @param sessionId the id of the new session; {@code null} for a new UUID
 * @param details what people shall call it, and its end
 */
record ForkBody(HistoryPoint point, @Nullable String sessionId, SessionDetails details) {

	static ForkBody of(@Nullable JsonObject body) {
		JsonObject fields = BodyNames.FORK.read((body != null) ? body : JsonObject.parse("{}"), "");
		JsonText seq = fields.get(BodyNames.AT_SEQ);
		String invocationId = fields.string(BodyNames.BEFORE_INVOCATION_ID);
		if (seq != null && invocationId != null) {
			throw new JsonException.InvalidShape(BodyNames.BEFORE_INVOCATION_ID,
					"must not stand beside " + BodyNames.AT_SEQ);
		}
		Long number = (seq != null) ? Long.valueOf(seq.wholeNumber(BodyNames.AT_SEQ)) : null;
		return new ForkBody(new HistoryPoint(number, invocationId), fields.string(BodyNames.SESSION_ID),
				DetailsFields.read(fields));
	}

	/** The new session, which belongs to the user of the source. */
	SessionKey target(SessionKey source) {
		return CreateSession.key(source.appName(), source.userId(), this.sessionId);
	}

	ForkRequest toRequest(SessionKey source, SessionKey target, Precondition precondition) {
		return new ForkRequest(source, this.point, target, this.details, precondition);
	}

}
