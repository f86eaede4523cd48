package dev.agentsessions.vertex.memory;

import java.util.List;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;
import dev.agentsessions.vertex.VertexApi;

/** The memories of a reasoning engine that no other test uses. */
final class MemoryBank {

	private final Http http;

	private final VertexApi api;

	MemoryBank(Http http) {
		this.http = http;
		this.api = new VertexApi(http);
	}

	VertexApi api() {
		return this.api;
	}

	String engine() {
		return this.api.engine();
	}

	/** The scope of a user, as a JSON object. */
	String scope(String user) {
		return Json.of("{'app_name': '%s', 'user_id': '%s'}".formatted(this.api.engine(), user));
	}

	/** The name of a memory, as the answers have it. */
	String name(String id) {
		return this.api.memoriesPath().substring("/v1beta1/".length()) + "/" + id;
	}

	/** The same user in the dialect of ADK. */
	String userPath(String user) {
		return "/apps/" + this.api.engine() + "/users/" + user;
	}

	/** Creates a memory of alice; the fields may be written with single quotes. */
	Answer create(String id, String fields) {
		return createIn(scope("alice"), id, fields);
	}

	Answer createIn(String scope, String id, String fields) {
		return this.http.post(this.api.memoriesPath() + (id.isEmpty() ? "" : "?memoryId=" + id),
				"{\"scope\":" + scope + "," + Json.of(fields) + "}");
	}

	Answer get(String id) {
		return this.http.get(this.api.memoriesPath() + "/" + id);
	}

	Answer patch(String id, String mask, String body) {
		return this.http.patch(this.api.memoriesPath() + "/" + id + (mask.isEmpty() ? "" : "?updateMask=" + mask),
				Json.of(body));
	}

	Answer delete(String id) {
		return this.http.delete(this.api.memoriesPath() + "/" + id);
	}

	Answer list(String query) {
		return this.http.get(this.api.memoriesPath() + query);
	}

	/** Sends an action about alice; the fields may be written with single quotes. */
	Answer act(String action, String fields) {
		return actIn(scope("alice"), action, fields);
	}

	Answer actIn(String scope, String action, String fields) {
		String body = fields.isEmpty() ? "" : "," + Json.of(fields);
		return this.http.post(this.api.memoriesPath() + ":" + action, "{\"scope\":" + scope + body + "}");
	}

	/** The facts that a question finds. */
	List<String> found(String question) {
		return facts(act("retrieve", "'similaritySearchParams': {'searchQuery': '%s'}".formatted(question)));
	}

	static List<String> facts(Answer retrieved) {
		return retrieved.ok()
			.at("/retrievedMemories")
			.valueStream()
			.map((found) -> found.at("/memory/fact").stringValue())
			.toList();
	}

}
