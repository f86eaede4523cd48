package dev.agentsessions.vertex;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Expiry;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.StateDeltas;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.vertex.event.ClientLibrary;
import dev.agentsessions.vertex.event.WireSessions;
import dev.agentsessions.web.DetailsFields;

/**
 * The fields of a session in a request.
 *
 * @param fields the fields, in camelCase
 * @param nullRemoves whether a null in the state removes its key; otherwise null is its
 * value
 */
record SessionFields(JsonObject fields, boolean nullRemoves) {

	static final String STATE = "sessionState";

	private static final String USER_ID = "userId";

	private static final Pattern SESSION_ID = Pattern.compile("[A-Za-z0-9_-]{1,512}");

	/** Reads the fields from a body; no body has no fields. */
	static SessionFields of(@Nullable JsonObject body, ClientLibrary client) {
		JsonObject sent = (body != null) ? body : new JsonObject("", Map.of());
		return new SessionFields(WireSessions.fields(RequestEnvelope.unwrap(sent, "session")), client.isAdkJava());
	}

	/**
	 * Returns the request to create the session.
	 * @param appName the app of the session
	 * @param sessionId the id requested by the client; {@code null} or empty for a
	 * generated id
	 * @param defaultExpiry the expiry if the request has none
	 */
	CreateSession toCreateSession(String appName, @Nullable String sessionId, Expiry defaultExpiry) {
		if (sessionId != null && !sessionId.isEmpty() && !SESSION_ID.matcher(sessionId).matches()) {
			throw new SessionException.InvalidArgument("sessionId",
					"must have 1 to 512 characters, all of them letters, digits, _ or -");
		}
		SessionKey key = CreateSession.key(appName, userId(), sessionId);
		SessionDetails sent = details();
		return new CreateSession(key, state(), List.of(),
				(sent.expiry() != null) ? sent : sent.withExpiry(defaultExpiry));
	}

	/** Returns the session details (display name, labels, expiry). */
	SessionDetails details() {
		return DetailsFields.read(this.fields);
	}

	/** Returns the state, in all scopes. */
	StateDelta state() {
		StateDelta state = StateDeltas.of(this.fields.object(STATE));
		return this.nullRemoves ? state.withNullsAsRemovals() : state;
	}

	/** Returns only the fields with these names; null for each that was not sent. */
	SessionFields only(Set<String> names) {
		Map<String, JsonText> named = new LinkedHashMap<>();
		names.forEach((name) -> named.put(name, this.fields.members().getOrDefault(name, JsonText.NULL)));
		return new SessionFields(new JsonObject(this.fields.path(), named), this.nullRemoves);
	}

	/** Rejects a user id that is not the user of the session. */
	void checkUser(String userId) {
		String sent = this.fields.string(USER_ID);
		if (sent != null && !sent.equals(userId)) {
			throw new SessionException.InvalidArgument(USER_ID, "cannot be changed");
		}
	}

	private String userId() {
		String userId = this.fields.string(USER_ID);
		if (userId == null) {
			throw new SessionException.InvalidArgument(USER_ID, "is required");
		}
		return userId;
	}

}
