package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;

/**
 * The sessions of a reasoning engine over the Vertex AI API, which no other test uses.
 */
public final class VertexApi {

	private static final String PLACE = "/projects/my-project/locations/us-central1";

	private final Http http;

	private final String version;

	private final String engine;

	public VertexApi(Http http) {
		this(http, "v1beta1", "engine-" + UUID.randomUUID());
	}

	private VertexApi(Http http, String version, String engine) {
		this.http = http;
		this.version = version;
		this.engine = engine;
	}

	/** The same engine in the version that ADK Rust speaks. */
	public VertexApi v1() {
		return new VertexApi(this.http, "v1", this.engine);
	}

	public Http http() {
		return this.http;
	}

	public String engine() {
		return this.engine;
	}

	/** The name of a session, as the answers have it. */
	public String name(String sessionId) {
		return PLACE.substring(1) + "/reasoningEngines/" + this.engine + "/sessions/" + sessionId;
	}

	public String placePath() {
		return "/" + this.version + PLACE;
	}

	public String memoriesPath() {
		return placePath() + "/reasoningEngines/" + this.engine + "/memories";
	}

	String sessionsPath() {
		return placePath() + "/reasoningEngines/" + this.engine + "/sessions";
	}

	public String sessionPath(String id) {
		return sessionsPath() + "/" + id;
	}

	/** The same sessions in dialect 1. */
	public String adkPath(String user) {
		return "/apps/" + this.engine + "/users/" + encode(user) + "/sessions";
	}

	/** Creates a session; the body may be written with single quotes. */
	public Answer create(String id, String body) {
		return this.http.post(sessionsPath() + "?sessionId=" + id, Json.of(body));
	}

	/** Creates a session of alice. */
	void create(String id) {
		create(id, "{'userId': 'alice'}").ok();
	}

	public Answer get(String id, String... headers) {
		return this.http.send("GET", sessionPath(id), BodyPublishers.noBody(), headers);
	}

	Answer list(String... parameters) {
		return this.http.get(sessionsPath() + query(parameters));
	}

	Answer delete(String id) {
		return this.http.delete(sessionPath(id));
	}

	/** Appends an event, which may be written with single quotes. */
	public Answer append(String id, String event, String... headers) {
		return this.http.post(sessionPath(id) + ":appendEvent", Json.of(event), headers);
	}

	/** Appends an event with these fields besides the required ones. */
	public void appendWith(String id, String fields) {
		Answer answer = append(id, "{'author': 'agent', 'invocationId': 'i1', 'timestamp': '2026-01-01T00:00:00Z'"
				+ (fields.isEmpty() ? "" : ", ") + fields + "}");
		assertThat(answer.ok().body()).isEqualTo("{}");
	}

	/** Appends an event that was stamped at a time. */
	void appendAt(String id, String time) {
		assertThat(append(id, "{'author': 'agent', 'invocationId': '%s', 'timestamp': '%s'}".formatted(time, time)).ok()
			.body()).isEqualTo("{}");
	}

	Answer events(String id, String... parameters) {
		return this.http.get(sessionPath(id) + "/events" + query(parameters));
	}

	/** The only event of a session. */
	public JsonNode event(String id) {
		JsonNode events = events(id).ok().at("/sessionEvents");
		assertThat(events).hasSize(1);
		return events.get(0);
	}

	/** The values of a field of all items of an answer. */
	static List<String> texts(Answer answer, String list, String field) {
		List<String> texts = new ArrayList<>();
		answer.ok().at("/" + list).forEach((item) -> texts.add(item.at("/" + field).stringValue()));
		return texts;
	}

	private static String query(String... parameters) {
		List<String> pairs = new ArrayList<>();
		for (int i = 0; i < parameters.length; i += 2) {
			pairs.add(parameters[i] + "=" + encode(parameters[i + 1]));
		}
		return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
	}

	/** As clients do it: a space is a plus sign. */
	static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	/** Checks an error of the protocol. */
	public static Answer error(Answer answer, int code, String status) {
		assertThat(answer.status()).as(answer.body()).isEqualTo(code);
		assertThat(answer.header("Content-Type")).hasValue("application/json");
		assertThat(answer.at("/error/code").intValue()).isEqualTo(code);
		assertThat(answer.text("/error/status")).isEqualTo(status);
		assertThat(answer.text("/error/message")).isNotBlank();
		return answer;
	}

}
