package dev.agentsessions.adk;

import static java.util.Map.entry;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;

/**
 * A request that goes wrong. Its path is that in the example of the error.
 *
 * @param method the HTTP method
 * @param query what follows the path
 * @param body the body
 * @param headers names and values in turn
 */
record ErrorRecipe(String method, String query, String body, List<String> headers) {

	private static final int MAX_BODY_SIZE = 16 * 1024 * 1024;

	/** By the name of the example, once all operations were tried out. */
	static final Map<String, ErrorRecipe> ALL = Map.ofEntries(entry("InvalidName", get("")),
			entry("NegativeCount", get("?numRecentEvents=-1")), entry("InvalidLimit", get("?limit=0")),
			entry("InvalidType", get("?limit=ten")), entry("InvalidPageToken", get("?pageToken=2")),
			entry("NoSuchPlace", get("?afterSeq=100")),
			entry("InvalidTime", new ErrorRecipe("POST", "?lastUpdateTime=yesterday", "{}", List.of())),
			entry("InvalidIfMatch", post("{}", "If-Match", "yesterday")),
			entry("PrefixedKey", new ErrorRecipe("PATCH", "", Json.of("{'user:language': 'de'}"), List.of())),
			entry("MalformedJson", post("{\"author\": user}")),
			entry("ExpiryHasPassed", post("{\"expireTime\": 1000}")), entry("SessionNotFound", get("")),
			entry("EventNotFound", get("")), entry("PartNotFound", get("")), entry("InvalidPlaceOfPart", get("")),
			entry("NoSuchRange", get("", "Range", "bytes=58-")), entry("SeqTooLarge", get("?atSeq=5")),
			entry("InvocationNotFound", post(Json.of("{'beforeInvocationId': 'i-9'}"))),
			entry("MidInvocation", post(Json.of("{'beforeSeq': 4}"))), entry("MemoryNotFound", get("")),
			entry("ArtifactNotFound", get("")),
			entry("StaleArtifact", new ErrorRecipe("PUT", "", "x", List.of("If-Match", "\"9\""))),
			entry("SaveConflict",
					new ErrorRecipe("PUT", "", "x",
							List.of("Idempotency-Key", "4c3b6f5e-9d0a-4a57-8a4e-6a1f6f0f7c11"))),
			entry("MemoryConflict", post(Json.of("{'id': 'likes-tea', 'text': 'x'}"))),
			entry("AlreadyExists", post("{\"sessionId\": \"s-1\"}")),
			entry("StaleLastUpdateTime", new ErrorRecipe("POST", "?lastUpdateTime=1", "{}", List.of())),
			entry("StaleRevision", post("{}", "If-Match", "\"1\"")),
			entry("InvalidLease", post("{}", "Lease", "seventeen")),
			entry("SessionBusy", post("{\"holder\": \"worker-8\"}")), entry("LeaseLost", post("{}", "Lease", "17")),
			entry("EventIdConflict", post("{\"id\": \"e-1\"}")),
			entry("PayloadTooLarge", post(" ".repeat(MAX_BODY_SIZE + 1))),
			entry("UnsupportedMediaType", post("<event/>", "Content-Type", "application/xml")),
			entry("InvalidShape", post(Json.of("{'actions': {'stateDelta': 1}}"))),
			entry("MissingTemplate", post("{}")),
			entry("MissingKeys", post(Json.of("{'template': 'It is {mood} for {user:name} today'}"))),
			entry("NotFound", get("")), entry("MethodNotAllowed", new ErrorRecipe("PUT", "", "{}", List.of())),
			entry("NotAcceptable", get("", "Accept", "text/html")));

	private static ErrorRecipe get(String query, String... headers) {
		return new ErrorRecipe("GET", query, "", List.of(headers));
	}

	private static ErrorRecipe post(String body, String... headers) {
		return new ErrorRecipe("POST", "", body, List.of(headers));
	}

	Answer send(Http http, String path) {
		List<String> all = new ArrayList<>(this.headers);
		if (!this.body.isEmpty() && !all.contains("Content-Type")) {
			all.addAll(Arrays.asList("Content-Type", "application/json"));
		}
		return http.send(this.method, path + this.query, BodyPublishers.ofString(this.body),
				all.toArray(String[]::new));
	}

}
