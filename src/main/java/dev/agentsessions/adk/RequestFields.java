package dev.agentsessions.adk;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Expiry;
import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.json.JsonText;

/** The fields of the requests that create and change a session. */
final class RequestFields {

	static final String SESSION_ID = "sessionId";

	static final String STATE = "state";

	static final String STATE_DELTA = "stateDelta";

	static final String REMOVE_KEYS = "removeKeys";

	static final String EVENTS = "events";

	static final String DISPLAY_NAME = "displayName";

	static final String LABELS = "labels";

	static final String EXPIRE_TIME = Expiry.EXPIRE_TIME;

	static final String TTL = Expiry.TTL;

	private static final Map<String, String> BY_SNAKE_CASE = FieldNames.bySnakeCase(SESSION_ID, STATE_DELTA,
			REMOVE_KEYS, DISPLAY_NAME, EXPIRE_TIME);

	private RequestFields() {
	}

	/** The body with its known fields in camelCase. */
	static JsonObject of(JsonObject body) {
		return body.renamed(BY_SNAKE_CASE);
	}

	/**
	 * What people call the session, and when it expires; JSON null removes the name, the
	 * labels or the end.
	 */
	static SessionDetails details(JsonObject fields) {
		return new SessionDetails(displayName(fields), labels(fields), Expiry.of(fields));
	}

	private static @Nullable String displayName(JsonObject fields) {
		boolean removed = JsonText.NULL.equals(fields.members().get(DISPLAY_NAME));
		return removed ? "" : fields.string(DISPLAY_NAME);
	}

	private static @Nullable Map<String, String> labels(JsonObject fields) {
		if (!fields.members().containsKey(LABELS)) {
			return null;
		}
		JsonObject labels = fields.object(LABELS);
		Map<String, String> texts = new LinkedHashMap<>();
		if (labels != null) {
			labels.members().forEach((key, value) -> texts.put(key, value.string(LABELS + "." + key)));
		}
		return texts;
	}

}
