package dev.agentsessions.session;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * The session whose copy another one of the same user began as.
 *
 * @param sessionId its id; it may be gone, and another one may have taken it
 * @param seq the last event that was copied, 0 if none was
 */
public record ForkedFrom(String sessionId, long seq) {

	private static final String SESSION_ID = "sessionId";

	private static final String SEQ = "seq";

	public ForkedFrom {
		Identifiers.check("forkedFrom.sessionId", sessionId);
	}

	/** Reads what {@link #toJson} has written. */
	public static ForkedFrom of(JsonObject json) {
		return new ForkedFrom(json.required(SESSION_ID).string(json.pathOf(SESSION_ID)),
				json.required(SEQ).wholeNumber(json.pathOf(SEQ)));
	}

	/** Both as an object. */
	public JsonText toJson() {
		return new JsonText(
				"{\"%s\":%s,\"%s\":%d}".formatted(SESSION_ID, JsonStrings.quote(this.sessionId), SEQ, this.seq));
	}

}
