package dev.agentsessions.history;

import tools.jackson.databind.JsonNode;

/**
 * How events are known again. Each carries a token in its {@code invocationId}: its id, a
 * slash, and what tells its content from that of others with this id; then, if it has a
 * time of its own, an @ and the time. The event of a PATCH, whose id the service makes,
 * is known by the value that it sets, and that of a rewind by its id.
 */
final class Events {

	/** The key that each PATCH sets to a value of its own. */
	static final String PATCHED = "s-patch";

	/** How the id of each event begins that a rewind appends. */
	static final String REWIND = "rewind-";

	private static final String OF_PATCH = "patch-";

	private Events() {
	}

	static String token(String id, String version) {
		return id + "/" + version;
	}

	static String tokenOfPatch(String value) {
		return token(OF_PATCH + value, "0");
	}

	/** The id in a token. */
	static String id(String token) {
		return token.substring(0, token.indexOf('/'));
	}

	/** The token of an event in an answer; a wrong one if the event is not as sent. */
	static String token(JsonNode event) {
		String id = event.has("id") ? event.path("id").asString("") : lastPart(event.path("name").asString(""));
		if (id.startsWith(REWIND)) {
			return token(id, "0");
		}
		JsonNode patched = event.path("actions").path("stateDelta").path(PATCHED);
		if (patched.isString()) {
			return tokenOfPatch(patched.stringValue());
		}
		String token = event.path("invocationId").asString("");
		boolean ofAnotherTime = token.contains("@") && event.has("name")
				&& !token.endsWith("@" + event.path("timestamp").asString(""));
		return (token.startsWith(id + "/") && !ofAnotherTime) ? token : "wrong/" + event;
	}

	private static String lastPart(String name) {
		return name.substring(name.lastIndexOf('/') + 1);
	}

}
