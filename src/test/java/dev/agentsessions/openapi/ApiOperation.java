package dev.agentsessions.openapi;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;

/**
 * An operation of the document.
 *
 * @param api the document
 * @param method the HTTP method
 * @param path the path with its variables
 * @param text what the document says about it
 */
public record ApiOperation(ApiDescription api, String method, String path, JsonNode text) {

	private static final String JSON = "application/json";

	private static final String LINES = "application/x-ndjson";

	/** The same type in the only spelling whose examples Swagger UI sends as they are. */
	private static final String SENT_LINES = "application/x-NDJSON";

	private static final String STREAM = "text/event-stream";

	private static final String ANY = "*/*";

	private static final String FILE = "text/csv";

	private static final String FORM = "application/x-www-form-urlencoded";

	public String id() {
		return this.text.path("operationId").stringValue();
	}

	public String route() {
		return this.method + " " + this.path;
	}

	public List<JsonNode> parameters() {
		return this.text.path("parameters").valueStream().toList();
	}

	/** The bodies that can be tried out, by name; none if it takes no body. */
	public Map<String, JsonNode> requestExamples() {
		return this.api.examples(this.text.path("requestBody").path("content").path(requestType()));
	}

	private String requestType() {
		return type(this.text.path("requestBody"));
	}

	private static String type(JsonNode body) {
		return Stream.of(FORM, FILE, LINES, SENT_LINES, STREAM, ANY)
			.filter((type) -> body.path("content").has(type))
			.findFirst()
			.orElse(JSON);
	}

	/** The bodies of the answer to a success, by name. */
	Map<String, JsonNode> successExamples() {
		Map<String, JsonNode> examples = this.api.examples(success().path("content").path(type(success())));
		examples.replaceAll((name, example) -> example.isString() ? read(example.stringValue()) : example);
		return examples;
	}

	/** What an answer says. */
	JsonNode read(Answer answer) {
		return read(answer.body());
	}

	/**
	 * JSON in lines, or what is sent of a stream, as an array; what is no JSON as a
	 * string.
	 */
	private JsonNode read(String body) {
		return switch (type(success())) {
			case LINES -> lines(body);
			case STREAM -> lines(body.lines()
				.filter((line) -> line.startsWith("data: "))
				.map((line) -> line.substring("data: ".length()))
				.collect(Collectors.joining("\n")));
			case ANY -> StringNode.valueOf(body);
			default -> Json.read(body);
		};
	}

	private static JsonNode lines(String text) {
		return Json.read(text.lines().collect(Collectors.joining(",", "[", "]")));
	}

	public JsonNode success() {
		return this.text.path("responses").path(Integer.toString(successStatus()));
	}

	public int successStatus() {
		return Stream.of(200, 201, 204)
			.filter((status) -> this.text.path("responses").has(Integer.toString(status)))
			.findFirst()
			.orElseThrow();
	}

	/** Where the document describes a body. */
	Stream<JsonNode> bodies() {
		return Stream.of(this.text.path("requestBody"), success());
	}

	/** The errors it may answer, by status, references resolved. */
	Stream<Map.Entry<String, JsonNode>> errors() {
		return this.text.path("responses")
			.propertyStream()
			.filter((response) -> !response.getKey().startsWith("2"))
			.map((response) -> Map.entry(response.getKey(), this.api.resolve(response.getValue())));
	}

	/** The operations above this one. */
	Stream<ApiOperation> before() {
		return this.api.operations().stream().takeWhile((operation) -> !operation.equals(this));
	}

	/** Sends what Swagger UI sends when nobody changes anything. */
	Answer execute(Http http) {
		return execute(http, requestExamples().values().stream().findFirst().orElse(null));
	}

	/** Sends what Swagger UI sends with one of the bodies. */
	public Answer execute(Http http, @Nullable JsonNode body) {
		UriComponentsBuilder uri = UriComponentsBuilder.fromPath(this.path);
		List<String> headers = new ArrayList<>(List.of("Accept", type(success())));
		for (JsonNode parameter : parameters()) {
			String name = parameter.path("name").stringValue();
			switch (parameter.path("in").stringValue()) {
				case "path" -> uri.uriVariables(Map.of(name, prefilled(parameter)));
				case "query" -> prefilledIfAny(parameter).forEach((value) -> uri.queryParam(name, value));
				default -> prefilledIfAny(parameter).forEach((value) -> headers.addAll(List.of(name, value)));
			}
		}
		if (body != null) {
			headers.addAll(List.of("Content-Type", requestType()));
		}
		return http.send(this.method, uri.build().encode().toUriString(), publisher(body),
				headers.toArray(String[]::new));
	}

	private BodyPublisher publisher(@Nullable JsonNode body) {
		if (body == null) {
			return BodyPublishers.noBody();
		}
		String text = body.isString() ? body.stringValue() : body.toString();
		return BodyPublishers.ofString(requestType().equals(FORM) ? form(body) : text);
	}

	private static String form(JsonNode fields) {
		return fields.propertyStream()
			.map((field) -> field.getKey() + "="
					+ URLEncoder.encode(field.getValue().asString(), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&"));
	}

	private String prefilled(JsonNode parameter) {
		return prefilledIfAny(parameter).get(0);
	}

	/** An optional parameter that is blank is not sent. */
	private List<String> prefilledIfAny(JsonNode parameter) {
		return Stream
			.concat(Stream.of(parameter.path("example")), this.api.examples(parameter).values().stream().limit(1))
			.map((value) -> value.asString(""))
			.filter((value) -> !value.isEmpty())
			.toList();
	}

}
