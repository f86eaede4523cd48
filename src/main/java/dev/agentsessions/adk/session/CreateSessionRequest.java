package dev.agentsessions.adk.session;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.StateDeltas;
import dev.agentsessions.session.manage.CreateSession;
import dev.agentsessions.web.DetailsFields;

/**
 * The body of a request that creates a session.
 *
 * @param fields its fields, in camelCase
 */
record CreateSessionRequest(JsonObject fields) {

	private static final JsonObject NOTHING = JsonObject.parse("{}");

	/** What a body without {@code state} may consist of. */
	private static final Set<String> FIELDS_WITHOUT_STATE = Set.of(KnownFields.EVENTS, KnownFields.SESSION_ID);

	private static final String OR_RAW = " If the body is the state itself, say bodyStyle=raw.";

	/** Reads a body that names its fields. */
	static CreateSessionRequest of(@Nullable JsonObject body) {
		return of(body, "");
	}

	/**
	 * Reads the body of the route with the id in the path, which is the state itself in
	 * ADK Python and names its fields everywhere else.
	 * @param style which of the two it is: {@code raw}, {@code wrapped}, or {@code null}
	 * to tell by its fields
	 */
	static CreateSessionRequest ofPathWithId(@Nullable JsonObject body, @Nullable String style) {
		return (body != null && isRawState(body, style))
				? new CreateSessionRequest(NOTHING.with(KnownFields.STATE, body.toJson()))
				: of(body, (style != null) ? "" : OR_RAW);
	}

	private static CreateSessionRequest of(@Nullable JsonObject body, String hint) {
		return new CreateSessionRequest((body != null) ? KnownFields.CREATE.read(body, hint) : NOTHING);
	}

	/** What the store needs for a session whose id stands in the body, or nowhere. */
	CreateSession toCreateSession(String appName, String userId) {
		return toCreateSession(appName, userId, this.fields.string(KnownFields.SESSION_ID));
	}

	/** What the store needs for a session whose id stands in the path. */
	CreateSession toCreateSessionWithId(String appName, String userId, String sessionId) {
		String idInBody = this.fields.string(KnownFields.SESSION_ID);
		if (idInBody != null && !idInBody.strip().equals(sessionId.strip())) {
			throw new SessionException.InvalidArgument(KnownFields.SESSION_ID, "must be the one in the path");
		}
		return toCreateSession(appName, userId, sessionId);
	}

	private CreateSession toCreateSession(String appName, String userId, @Nullable String sessionId) {
		return new CreateSession(CreateSession.key(appName, userId, sessionId),
				StateDeltas.of(this.fields.object(KnownFields.STATE)),
				this.fields.objects(KnownFields.EVENTS)
					.stream()
					.map(KnownFields::checkEvent)
					.map(NewEvent::of)
					.toList(),
				DetailsFields.read(this.fields));
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

	/**
	 * Told as if all names were spelled right, so that a slip makes no key of the state.
	 */
	private static boolean isRawState(JsonObject body) {
		Map<String, JsonText> fields = new HashMap<>();
		body.members().forEach((name, value) -> fields.put(KnownFields.CREATE.nearest(name), value));
		JsonText state = fields.get(KnownFields.STATE);
		if (state == null) {
			return !FIELDS_WITHOUT_STATE.containsAll(fields.keySet());
		}
		boolean object = state.isNull() || state.isObject();
		return !object || !KnownFields.CREATE.known().containsAll(fields.keySet());
	}

}
