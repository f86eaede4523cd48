package dev.agentsessions.adk;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.CreateSession;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateDeltas;
import dev.agentsessions.json.JsonText;

/**
 * The body of a request that creates a session.
 *
 * @param fields its fields, in camelCase
 */
record CreateSessionRequest(JsonObject fields) {

	private static final JsonObject NOTHING = JsonObject.parse("{}");

	/** What may stand beside {@code state} in a body. */
	private static final Set<String> FIELDS = Set.of(RequestFields.STATE, RequestFields.EVENTS,
			RequestFields.SESSION_ID, RequestFields.DISPLAY_NAME, RequestFields.LABELS, RequestFields.EXPIRE_TIME,
			RequestFields.TTL, "session_id", "display_name", "expire_time");

	/** What a body without {@code state} may consist of. */
	private static final Set<String> FIELDS_WITHOUT_STATE = Set.of(RequestFields.EVENTS, RequestFields.SESSION_ID,
			"session_id");

	/** Reads a body that names its fields. */
	static CreateSessionRequest of(@Nullable JsonObject body) {
		return new CreateSessionRequest(RequestFields.of((body != null) ? body : NOTHING));
	}

	/**
	 * Reads the body of the route with the id in the path, which is the state itself in
	 * ADK Python and names its fields everywhere else.
	 * @param style which of the two it is: {@code raw}, {@code wrapped}, or {@code null}
	 * to tell by its fields
	 */
	static CreateSessionRequest of(@Nullable JsonObject body, @Nullable String style) {
		return (body != null && isRawState(body, style))
				? new CreateSessionRequest(NOTHING.with(RequestFields.STATE, body.toJson())) : of(body);
	}

	/** What the store needs for a session whose id stands in the body, or nowhere. */
	CreateSession toCreateSession(String appName, String userId) {
		return toCreateSession(appName, userId, this.fields.string(RequestFields.SESSION_ID));
	}

	/** What the store needs for a session whose id stands in the path. */
	CreateSession toCreateSessionWithId(String appName, String userId, String sessionId) {
		String idInBody = this.fields.string(RequestFields.SESSION_ID);
		if (idInBody != null && !idInBody.strip().equals(sessionId.strip())) {
			throw new SessionException.InvalidArgument(RequestFields.SESSION_ID, "must be the one in the path");
		}
		return toCreateSession(appName, userId, sessionId);
	}

	private CreateSession toCreateSession(String appName, String userId, @Nullable String sessionId) {
		return new CreateSession(CreateSession.key(appName, userId, sessionId),
				StateDeltas.of(this.fields.object(RequestFields.STATE)),
				this.fields.objects(RequestFields.EVENTS).stream().map(NewEvent::of).toList(),
				RequestFields.details(this.fields));
	}

	private static boolean isRawState(JsonObject body, @Nullable String style) {
		if (style == null) {
			return isRawState(body);
		}
		if (!style.equals("raw") && !style.equals("wrapped")) {
			throw new SessionException.InvalidArgument("bodyStyle", "must be raw or wrapped");
		}
		return style.equals("raw");
	}

	private static boolean isRawState(JsonObject body) {
		JsonText state = body.members().get(RequestFields.STATE);
		if (state == null) {
			return !FIELDS_WITHOUT_STATE.containsAll(body.members().keySet());
		}
		boolean object = state.isNull() || state.isObject();
		return !object || !FIELDS.containsAll(body.members().keySet());
	}

}
