package dev.agentsessions.linearizability;

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

	/** How the id of each event begins that has a function call which waits. */
	private static final String CALL = "call-";

	/** How the id of each event begins that answers one; the id of the call follows. */
	private static final String ANSWER = "answer-";

	private Events() {
	}

	static String idOfCall(long number) {
		return CALL + number;
	}

	static String idOfAnswer(String call, long number) {
		return ANSWER + call + "-" + number;
	}

	static boolean isCall(String id) {
		return id.startsWith(CALL);
	}

	static boolean isAnswer(String id) {
		return id.startsWith(ANSWER);
	}

	/** The call that an event answers. */
	static String callOf(String idOfAnswer) {
		return idOfAnswer.substring(ANSWER.length(), idOfAnswer.lastIndexOf('-'));
	}

	/** Whether an event has an id. That of a PATCH is made by the service. */
	static boolean isOf(String token, String id) {
		return token.startsWith(OF_PATCH) || id(token).equals(id);
	}

	/** Whether a client has sent the event, and neither a PATCH nor a rewind made it. */
	static boolean isDrafted(String token) {
		return !token.startsWith(OF_PATCH) && !token.startsWith(REWIND);
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
