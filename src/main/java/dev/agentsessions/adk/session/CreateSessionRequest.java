package dev.agentsessions.adk.session;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.StateDeltas;
import dev.agentsessions.session.manage.CreateSession;
import dev.agentsessions.session.manage.IdempotencyKey;
import dev.agentsessions.web.DetailsFields;

/**
 * The body of a request that creates a session.
 *
 * @param fields its fields, in camelCase
 */
record CreateSessionRequest(JsonObject fields) {

	private static final JsonObject NOTHING = JsonObject.parse("{}");

	/**
	 * A body without {@code state} has named fields only if all of them are in this set.
	 */
	private static final Set<String> FIELDS_WITHOUT_STATE = Set.of(KnownFields.EVENTS, KnownFields.SESSION_ID);

	private static final String OR_RAW = " If the body is the state itself, say bodyStyle=raw.";

	/** Reads a body with named fields. */
	static CreateSessionRequest of(@Nullable JsonObject body) {
		return of(body, "");
	}

	/**
	 * Reads the body of the route with the session id in the path. In ADK Python, this
	 * body is the state itself; everywhere else, it has named fields.
	 * @param style {@code raw} for the state itself, {@code wrapped} for named fields,
	 * {@code null} to decide by the fields
	 */
	static CreateSessionRequest ofPathWithId(@Nullable JsonObject body, @Nullable String style) {
		return (body != null && isRawState(body, style))
				? new CreateSessionRequest(NOTHING.with(KnownFields.STATE, body.toJson()))
				: of(body, (style != null) ? "" : OR_RAW);
	}

	private static CreateSessionRequest of(@Nullable JsonObject body, String hint) {
		return new CreateSessionRequest((body != null) ? withOptions(KnownFields.CREATE.read(body, hint)) : NOTHING);
	}

	/** Returns the fields with the options among them, which mean the same there. */
	private static JsonObject withOptions(JsonObject fields) {
		JsonObject options = fields.object(KnownFields.OPTIONS);
		if (options == null) {
			return fields;
		}
		Map<String, JsonText> all = new LinkedHashMap<>(fields.without(Set.of(KnownFields.OPTIONS)).members());
		KnownFields.CREATE_OPTIONS.read(options, "").members().forEach((name, option) -> {
			JsonText field = all.getOrDefault(name, JsonText.NULL);
			if (!field.isNull() && !option.isNull() && !field.isSameValueAs(option)) {
				throw new JsonException.InvalidShape(options.pathOf(name), "must not contradict " + name);
			}
			all.put(name, option.isNull() ? field : option);
		});
		return new JsonObject(fields.path(), all);
	}

	/** Returns the command for a session whose id is in the body, if anywhere. */
	CreateSession toCreateSession(String appName, String userId, @Nullable IdempotencyKey key) {
		return toCreateSession(appName, userId, this.fields.string(KnownFields.SESSION_ID), key);
	}

	/** Returns the command for a session whose id is in the path. */
	CreateSession toCreateSessionWithId(String appName, String userId, String sessionId, @Nullable IdempotencyKey key) {
		String idInBody = this.fields.string(KnownFields.SESSION_ID);
		if (idInBody != null && !idInBody.strip().equals(sessionId.strip())) {
			throw new SessionException.InvalidArgument(KnownFields.SESSION_ID, "must be the one in the path");
		}
		return toCreateSession(appName, userId, sessionId, key);
	}

	private CreateSession toCreateSession(String appName, String userId, @Nullable String sessionId,
			@Nullable IdempotencyKey key) {
		return new CreateSession(CreateSession.key(appName, userId, sessionId, key),
				StateDeltas.of(this.fields.object(KnownFields.STATE)),
				this.fields.objects(KnownFields.EVENTS)
					.stream()
					.map(KnownFields::checkEvent)
					.map(NewEvent::of)
					.toList(),
				DetailsFields.read(this.fields),
				(key != null) ? key.creation(this.fields.without(Set.of(KnownFields.SESSION_ID))) : null);
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
	 * Decides as if all names were spelled correctly, so that a misspelled field does not
	 * become a key of the state.
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
