package dev.agentsessions.linearizability;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An event before it is sent.
 *
 * @param token what it is known by, see {@link Events}
 * @param delta the state it changes, in all scopes; keys and JSON values
 * @param text something it has to carry
 */
record Draft(String token, Map<String, String> delta, String text) {

	/** A word that each event says, unless it has a function call or an answer. */
	static final String SAID = "harbour";

	private static final String TIME = "2024-02-29T12:00:00Z";

	/** The changes of the session's own state. */
	Map<String, String> own() {
		Map<String, String> own = new TreeMap<>(this.delta);
		own.keySet().removeIf((key) -> key.contains(":"));
		return own;
	}

	/** The changes of what sessions share. */
	Map<String, String> shared() {
		Map<String, String> shared = new TreeMap<>(this.delta);
		shared.keySet().removeIf((key) -> !key.contains(":"));
		return shared;
	}

	/** The same without removals, of which an initial state has none. */
	Draft settingOnly() {
		Map<String, String> set = new TreeMap<>(this.delta);
		set.values().removeIf(Kept.REMOVED::equals);
		return new Draft(this.token, set, this.text);
	}

	/** The same without changes of what sessions share. */
	Draft alone() {
		return new Draft(this.token, own(), this.text);
	}

	/** As ADK's own dialect has it. */
	String json() {
		String id = Events.id(this.token);
		return "{\"id\":\"%s\",\"author\":\"%s\",\"invocationId\":\"%s\",\"timestamp\":\"%s\",\"content\":{\"parts\":[%s]}%s,\"actions\":{\"stateDelta\":%s}}"
			.formatted(id, Events.isAnswer(id) ? "user" : "a", this.token, time(), part(id),
					Events.isCall(id) ? ",\"longRunningToolIds\":[\"" + id + "\"]" : "", json(this.delta));
	}

	private String part(String id) {
		if (Events.isCall(id)) {
			return "{\"functionCall\":{\"id\":\"%s\",\"name\":\"ask\"}}".formatted(id);
		}
		return Events.isAnswer(id)
				? "{\"functionResponse\":{\"id\":\"%s\",\"name\":\"ask\",\"response\":{}}}".formatted(Events.callOf(id))
				: "{\"text\":\"%s\"}".formatted(said());
	}

	private String said() {
		return SAID + " " + this.token + " " + this.text;
	}

	/** Whether the event with a token says something. */
	static boolean says(String token) {
		return Events.isDrafted(token) && !Events.isCall(token) && !Events.isAnswer(token);
	}

	/** As the dialect of Vertex AI has it. */
	String vertexJson() {
		return "{\"author\":\"a\",\"invocationId\":\"%s\",\"timestamp\":\"%s\",\"content\":{\"role\":\"user\",\"parts\":[{\"text\":\"%s\"}]},\"actions\":{\"stateDelta\":%s},\"rawEvent\":{\"id\":\"%s\"}}"
			.formatted(this.token, time(), said(), json(this.delta), Events.id(this.token));
	}

	/** The same id with other content. */
	Draft changed() {
		return new Draft(this.token + "+", this.delta, this.text);
	}

	private String time() {
		int at = this.token.indexOf('@');
		return (at >= 0) ? this.token.substring(at + 1) : TIME;
	}

	static String json(Map<String, String> members) {
		return members.entrySet()
			.stream()
			.map((member) -> "\"" + member.getKey() + "\":" + member.getValue())
			.collect(Collectors.joining(",", "{", "}"));
	}

}
