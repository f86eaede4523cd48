package dev.agentsessions.session;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * The session of which another session of the same user began as a copy.
 *
 * @param sessionId its id; it may be deleted, and another session may have the id
 * @param seq the seq of the last copied event, 0 if none was copied
 */
public record ForkedFrom(String sessionId, long seq) {

	private static final String SESSION_ID = "sessionId";

	private static final String SEQ = "seq";

	public ForkedFrom {
		Identifiers.check("forkedFrom.sessionId", sessionId);
	}

	/** Reads the result of {@link #toJson}. */
	public static ForkedFrom of(JsonObject json) {
		return new ForkedFrom(json.required(SESSION_ID).string(json.pathOf(SESSION_ID)),
				json.required(SEQ).wholeNumber(json.pathOf(SEQ)));
	}

	/** Returns both values as an object. */
	public JsonText toJson() {
		return new JsonText(
				"{\"%s\":%s,\"%s\":%d}".formatted(SESSION_ID, JsonStrings.quote(this.sessionId), SEQ, this.seq));
	}

}
