package dev.agentsessions.security.hostile;

import java.util.List;
import java.util.stream.Stream;

/** Requests with holes for what is going to be made up. */
final class IncompleteRequests {

	private static final String ANNS = "/apps/shop/users/ann/sessions";

	private static final String ENGINE = "/v1beta1/projects/p/locations/l/reasoningEngines/";

	private static final String VERTEX = ENGINE + "shop/sessions";

	/**
	 * Requests of both dialects with holes: {@code @n} a number, {@code @t} a token,
	 * {@code @f} a filter, {@code @i} an id, {@code @q} a query.
	 */
	private static final List<String> OF_DIALECTS = List.of("GET " + ANNS + "?limit=1&pageToken=@t",
			"GET " + ANNS + "?limit=1&order=desc&pageToken=@t", "GET " + ANNS + "?order=desc&limit=1&pageToken=@t",
			"GET " + ANNS + "?limit=@n", "GET " + ANNS + "/@i", "GET /apps/shop/users/@i/sessions",
			"GET /apps/@i/users/ann/sessions/s1", "GET /apps/@i/sessions",
			"GET /apps/shop/sessions?limit=1&pageToken=@t", "GET /apps/shop/users?limit=1&pageToken=@t",
			"GET /apps/@i/users?limit=@n", "GET /apps/shop/users/@i/state", "GET " + ANNS + "/s1?numRecentEvents=@n",
			"GET " + ANNS + "/s1?afterTimestamp=@n", "GET " + ANNS + "/s1/events?limit=1&pageToken=@t",
			"GET " + ANNS + "/s1/events?limit=@n&afterSeq=@n", "GET " + ANNS + "/s1/events?afterTimestamp=@n",
			"GET " + ANNS + "/s1/events/@i", "DELETE " + ANNS + "/@i", "POST " + ANNS, "POST " + ANNS + "/@i",
			"POST " + ANNS + "/s1/events", "POST " + ANNS + "/s1/events?lastUpdateTime=@n",
			"POST " + ANNS + "/s1/events:batch", "POST /apps/shop/users/@i/sessions/s1/events", "PATCH " + ANNS + "/s1",
			"PATCH " + ANNS + "/s1?lastUpdateTime=@n", "PATCH /apps/shop/users/@i/state", "POST " + ANNS + "/s1:render",
			"GET " + VERTEX + "?filter=@f", "GET " + VERTEX + "?filter=user_id=%22ann%22&pageSize=1&pageToken=@t",
			"GET " + VERTEX + "?filter=user_id=%22ann%22&pageSize=@n", "GET " + VERTEX + "?pageSize=1&pageToken=@t",
			"GET " + VERTEX + "?filter=@f&orderBy=create_time%20desc", "GET " + VERTEX + "/@i",
			"GET " + VERTEX + "/only-bobs", "GET " + VERTEX + "/only-bobs/events", "GET " + ENGINE + "@i/sessions/s1",
			"GET " + VERTEX + "/only-anns/events?pageSize=1&pageToken=@t",
			"GET " + VERTEX + "/only-anns/events?filter=@f", "GET " + VERTEX + "/only-anns/events?pageSize=@n",
			"POST " + VERTEX, "POST " + VERTEX + "?sessionId=@i", "POST " + VERTEX + "/only-anns:appendEvent",
			"POST " + VERTEX + "/only-bobs:appendEvent", "PATCH " + VERTEX + "/only-anns?updateMask=@i",
			"PATCH " + VERTEX + "/only-bobs", "DELETE " + VERTEX + "/only-bobs");

	private static final String PAGES = "/console/apps/shop/users/ann/sessions/s1";

	/** The same of all else that the service answers. */
	private static final List<String> OF_OTHERS = List.of("GET /actuator/health/@i", "GET /actuator/health?@q",
			"GET /actuator/health/liveness?@q", "GET /actuator/@i", "GET /actuator?@q", "GET /actuator/@i?@q",
			"GET /actuator/metrics/@i?tag=@i", "GET /actuator/env/@i", "GET /actuator/env?pattern=@f",
			"GET /actuator/loggers/@i?@q", "GET /actuator/info?@q", "GET /?@q", "GET /@i", "GET /@i?@q",
			"GET /health?@q", "GET /version?@q", "GET /list-apps?@q", "GET /v3/api-docs/@i", "GET /v3/api-docs?@q",
			"GET /swagger-ui/@i", "GET /swagger-ui.html?@q", "GET /console?@q", "GET /console/@i",
			"GET /console/static/@i?@q", "GET /console/apps/@i", "GET /console/apps/shop?@q",
			"GET /console/apps/shop/find?user=@i&session=@n", "GET /console/apps/shop/find?@q",
			"GET /console/apps/shop/users/@i", "GET /console/apps/shop/users?page=@t",
			"GET /console/apps/shop/search?q=@f&page=@t", "GET /console/apps/@i/search?q=@f",
			"GET /console/apps/shop/failures?page=@t&from=@f", "GET /console/apps/@i/overview",
			"GET /console/apps/@i/week", "GET /console/apps/shop/users/@i/erase",
			"GET /console/apps/shop/delete-sessions?label=@f&page=@t",
			"POST /console/apps/shop/users/@i/delete-sessions?from=@f",
			"GET /console/apps/shop/users/ann?page=@t&label=@f", "GET /console/apps/shop/users/ann/search?q=@f&page=@t",
			"GET /console/apps/shop/users/ann/facts?page=@t", "GET " + PAGES + "/search?q=@f",
			"POST /console/apps/shop/users/ann/search/forget?id=@i", "GET " + PAGES + "?at=@n",
			"GET " + PAGES + "/state?at=@n", "GET " + PAGES + "/state/json?at=@n", "GET " + PAGES + "/tail?after=@n",
			"GET " + PAGES + "/events/@i", "GET " + PAGES + "/events/@i/parts/@n", "GET " + PAGES + "/@i?@q",
			"GET " + PAGES + "/fork?at=@n&invocation=@i", "POST /console/sign-in", "POST /console/sign-out?@q",
			"POST " + PAGES + "/fork?at=@n", "POST /actuator/health", "DELETE /actuator/health/@i",
			"POST " + ANNS + "/s1:fork", "POST " + ANNS + "/s1:acquire", "POST " + ANNS + "/s1:rewind?@q");

	private static final List<String> OF_ARTIFACTS = List.of("GET " + ANNS + "/s1/artifacts",
			"GET " + ANNS + "/s1/artifacts:list?limit=@n", "GET " + ANNS + "/s1/artifacts:list?limit=1&pageToken=@t",
			"POST " + ANNS + "/s1/artifacts", "PUT " + ANNS + "/s1/artifacts/@i",
			"PUT " + ANNS + "/s1/artifacts/a?part=@i", "GET " + ANNS + "/s1/artifacts/@i?version=@n",
			"GET " + ANNS + "/s1/artifacts/a/versions/@n", "GET " + ANNS + "/s1/artifacts/a/versions/@i/metadata",
			"GET " + ANNS + "/s1/artifacts/a/versions/@n:content", "DELETE " + ANNS + "/s1/artifacts/@i",
			"DELETE " + ANNS + "/s1/artifacts/a/versions/@n", "PUT /apps/shop/users/ann/artifacts/@i",
			"GET /apps/shop/users/@i/artifacts");

	static final List<String> LINES = Stream.of(OF_DIALECTS, OF_OTHERS, OF_ARTIFACTS).flatMap(List::stream).toList();

	/** Bodies, for any of them. */
	static final List<String> BODIES = List.of("", "{}", "[]", "null", "{\"ttl\":@n}", "{\"ttl\":\"@n\"}",
			"{\"expireTime\":@n}", "{\"expireTime\":\"@n\"}", "{\"state\":{\"k\":@n}}", "{\"stateDelta\":{\"k\":@n}}",
			"{\"userId\":\"bob\",\"sessionState\":{\"k\":@n}}", "{\"userId\":\"ann\",\"expireTime\":\"@n\"}",
			"{\"userId\":\"ann\",\"ttl\":\"@ns\"}", "{\"session\":{\"userId\":\"ann\",\"ttl\":@n}}",
			"{\"id\":\"same\",\"author\":\"a\",\"content\":{\"n\":@n}}", "{\"author\":\"a\",\"timestamp\":@n}",
			"{\"author\":\"a\",\"invocationId\":\"i\",\"timestamp\":\"@n\"}",
			"{\"events\":[{\"author\":\"a\",\"timestamp\":@n},{\"author\":\"a\",\"timestamp\":\"@n\"}]}",
			"{\"author\":\"a\",\"invocationId\":\"i\",\"timestamp\":{\"seconds\":@n,\"nanos\":@n}}",
			"{\"author\":\"a\",\"invocationId\":\"i\",\"rawEvent\":{\"timestamp\":@n,\"actions\":{\"compaction\":{\"startTimestamp\":@n,\"endTimestamp\":@n}}}}",
			"{\"author\":\"a\",\"actions\":{\"artifactDelta\":{\"a\":@n},\"compaction\":{\"startTimestamp\":@n}}}",
			"{\"author\":\"a\",\"invocationId\":\"i\",\"actions\":{\"artifactDelta\":{\"a\":@n}}}",
			"{\"template\":\"{k} {k?} {user:k}\"}", "{\"template\":@n}", "{\"displayName\":@n,\"labels\":{\"a\":@n}}",
			"{\"numRecentEvents\":@n,\"sessionId\":\"@n\"}", "{\"atSeq\":@n}", "{\"holder\":\"h\",\"ttl\":\"@ns\"}",
			"{\"removeKeys\":[\"k\"],\"stateDelta\":{}}", "{\"beforeInvocationId\":\"i\",\"eventId\":\"@n\"}",
			"{\"filename\":\"a\",\"artifact\":{\"inlineData\":{\"data\":@n}},\"customMetadata\":{\"n\":@n}}",
			"{\"filename\":\"@n\",\"artifact\":{\"text\":\"@n\"}}",
			"{\"filename\":\"a\",\"artifact\":{\"fileData\":{\"fileUri\":\"artifact://apps/shop/users/ann/artifacts/a/versions/@n\"}}}");

	private IncompleteRequests() {
	}

}
