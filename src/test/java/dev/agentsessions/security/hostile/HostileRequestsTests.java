package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Tokens;

/**
 * Whatever is sent: no fault of the service, nothing of another user, and nothing
 * internal in an answer. The requests are made up from seeds, so a failure can be
 * repeated.
 */
class HostileRequestsTests extends SecuredServiceTest {

	private static final String SECRET = "what-only-bob-may-read";

	private static final String INTERNALS = "(?s).*(Exception|\\bat [a-z.]+\\(|org\\.|java\\.|(?<!<)select |insert ).*";

	/** Of routes of the Vertex AI dialect that the service only refuses. */
	private static final int NOT_IMPLEMENTED = 501;

	private static final String ANN = "/apps/shop/users/ann/sessions";

	/**
	 * For each seed; a longer run is mvn test -Dtest=HostileRequestsTests
	 * -Dhostile.requests=10000.
	 */
	private static final int REQUESTS = Integer.getInteger("hostile.requests", 100);

	@Autowired
	private RequestMappingHandlerMapping requestMappingHandlerMapping;

	@BeforeEach
	void makesSessionsOfTwoUsers() {
		String state = "{\"state\":{\"secret\":\"" + SECRET + "\"}}";
		call("POST", "/apps/shop/users/bob/sessions/s1").bearer(Tokens.of("bob")).json(state).send();
		call("POST", ANN + "/s1").bearer(Tokens.of("ann")).send();
	}

	@ParameterizedTest
	@ValueSource(strings = { "X-Forwarded-Host: evil.example", "X-Forwarded-Port: [::",
			"X-Forwarded-Prefix: //evil.example", "Forwarded: host=evil.example" })
	void sendsNoBrowserToTheHostOfAForwardedHeader(String header) throws IOException {
		assertThat(new RawRequest("GET", "/swagger-ui.html", header + "\r\n", "").send(port()))
			.startsWith("HTTP/1.1 302")
			.doesNotContain("evil");
	}

	/** With {@code Expect}, the client waits to be asked for the body. */
	@Test
	void refusesABodyThatIsAnnouncedAsTooLargeWithoutReadingIt() {
		String headers = "Authorization: Bearer " + Tokens.ofAdministrator("root")
				+ "\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n";
		List<RawRequest> requests = new ArrayList<>(
				List.of(new RawRequest("POST", ANN + "/s1", headers, ""), new RawRequest("POST", ANN, headers, "")));
		this.requestMappingHandlerMapping.getHandlerMethods().forEach((route, handler) -> {
			if (Stream.of(handler.getMethod().getParameterTypes()).anyMatch(JsonObject.class::equals)) {
				route.getMethodsCondition()
					.getMethods()
					.forEach((method) -> route.getPatternValues()
						.forEach((pattern) -> requests.add(new RawRequest(method.name(), RouteParameter.path(pattern),
								headers + "Expect: 100-continue\r\n", ""))));
			}
		});
		assertThat(requests).hasSizeGreaterThan(20)
			.allSatisfy((request) -> assertThat(request.send(port())).startsWith("HTTP/1.1 413"));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void neverAFaultAndNeverAnothersData(long seed) throws IOException {
		HostileText hostile = new HostileText(seed);
		List<String> routes = List.copyOf(routes());
		for (int i = 0; i < REQUESTS; i++) {
			RawRequest request = request(hostile, hostile.oneOf(routes));
			String answer = request.send(port());
			assertThat(RawRequest.status(answer)).as("%s%n%s", request, answer)
				.matches((status) -> status >= 200 && status < 500 || status == NOT_IMPLEMENTED);
			assertThat(answer).as("%s", request).doesNotContain(SECRET);
			assertThat(body(answer)).as("%s", request).doesNotMatch(INTERNALS);
		}
	}

	@ParameterizedTest
	@MethodSource
	void refusesBrokenBodies(byte[] body) throws IOException {
		for (String path : List.of(ANN, ANN + "/s1/events", ANN + "/s1:render")) {
			String answer = new RawRequest("POST", path, headers("application/json"), body).send(port());
			assertThat(RawRequest.status(answer)).as(answer).isIn(400, 413, 422);
		}
	}

	static List<byte[]> refusesBrokenBodies() {
		String keys = IntStream.range(0, 100_000).mapToObj((i) -> "\"k" + i + "\":1").collect(Collectors.joining(","));
		return List.of(bytes("{\"a\":".repeat(100_000)), bytes("[".repeat(1_000_000)), bytes("{\"a\":1,\"a\":2}"),
				bytes("{\"a\":" + "9".repeat(2_000_000) + "}"), bytes("{\"a\":1e9999999999}x"),
				new byte[] { '{', '"', (byte) 0xC0, (byte) 0x80, '"', ':', '1', '}' },
				new byte[] { '{', '"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', ':', '1', '}' },
				new byte[] { '{', '"', (byte) 0xF8, (byte) 0x88, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"', ':', '1',
						'}' },
				bytes("{\"a\":\"\u0000\"}"), bytes("{}{}"), bytes("{'a':1}"), bytes("{\"a\":0x1}"),
				bytes("{\"a\":NaN}"),
				bytes("{\"state\":{" + keys + "},\"actions\":{\"stateDelta\":{" + keys + "}},\"template\":1}"),
				new byte[17 * 1024 * 1024]);
	}

	@ParameterizedTest
	@ValueSource(strings = { "deflate", "br", "zstd", "gzip, gzip", "x-nonsense" })
	void refusesCompressedBodies(String encoding) throws IOException {
		ByteArrayOutputStream bomb = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
			gzip.write(new byte[10 * 1024 * 1024]);
		}
		String headers = headers("application/json") + "Content-Encoding: ";
		String answer = new RawRequest("POST", ANN, headers + encoding + "\r\n", bomb.toByteArray()).send(port());
		assertThat(answer).startsWith("HTTP/1.1 415").contains("UNSUPPORTED_MEDIA_TYPE");
		assertThat(new RawRequest("POST", ANN, headers + "identity\r\n", "{}").send(port())).startsWith("HTTP/1.1 200");
	}

	@Test
	void takesNothingOfARequestIntoTheHeadersOfTheAnswer() throws IOException {
		for (String target : List.of(ANN + "?limit=1%0d%0aSet-Cookie:%20a=b", ANN + "/a%0d%0aSet-Cookie:%20a=b",
				ANN + "?pageToken=%0aSet-Cookie:%20a=b")) {
			String answer = new RawRequest("GET", target, headers("a/b"), "").send(port());
			assertThat(answer.substring(0, answer.indexOf("\r\n\r\n"))).doesNotContain("Set-Cookie");
		}
	}

	@Test
	void refusesThePageTokensOfOtherCallersAndForgedOnes() {
		for (String user : List.of("ann", "bob")) {
			call("POST", "/apps/shop/users/" + user + "/sessions").bearer(Tokens.of(user)).send();
		}
		String bobs = call("GET", "/apps/shop/users/bob/sessions?limit=1").bearer(Tokens.of("bob"))
			.send()
			.headers()
			.firstValue("X-Next-Page-Token")
			.orElseThrow();
		assertThat(call("GET", ANN + "?limit=1&pageToken=" + bobs).bearer(Tokens.of("ann")).send().body())
			.contains("pageToken must be one that the service has given to you");
		for (String forged : List.of("x", "AAAA", "////", "null", bobs.substring(1), bobs + bobs)) {
			assertThat(call("GET", ANN + "?pageToken=" + forged).bearer(Tokens.of("ann")).status()).isEqualTo(400);
		}
	}

	@Test
	void keepsSessionsApartThatDifferOnlyInCaseWidthOrForm() {
		List<String> alike = List.of("a", "A", "\uFF41", "\u00e9", "e\u0301", "\u0130", "i", "I", "\u0131", "\u2170");
		for (String id : alike) {
			call("POST", ANN + "/alike-" + encode(id)).bearer(Tokens.of("ann"))
				.json("{\"state\":{\"id\":\"" + id + "\"}}")
				.send();
		}
		for (String id : alike) {
			assertThat(call("GET", ANN + "/alike-" + encode(id)).bearer(Tokens.of("ann")).send().body())
				.contains("\"id\":\"" + id + "\"");
		}
	}

	@Test
	void keepsWhatLooksLikeSqlOrHtmlAsText() {
		String text = "'); drop table sessions; -- <script>alert(1)</script> ${7*7} {{7*7}}";
		call("POST", ANN + "/hostile").bearer(Tokens.of("ann")).json("{\"state\":{\"k\":\"" + text + "\"}}").send();
		assertThat(call("GET", ANN + "/hostile").bearer(Tokens.of("ann")).send().body()).contains(text);
		assertThat(call("GET", ANN + "/hostile").bearer(Tokens.of("ann")).send().headers().firstValue("Content-Type"))
			.contains("application/json");
	}

	private Set<String> routes() {
		return this.requestMappingHandlerMapping.getHandlerMethods()
			.keySet()
			.stream()
			.flatMap((mapping) -> mapping.getPatternValues()
				.stream()
				.flatMap((path) -> mapping.getMethodsCondition()
					.getMethods()
					.stream()
					.map((method) -> method + " " + path)))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** Ann asks for something of hers, of bob's, or of nobody's. */
	private static RawRequest request(HostileText hostile, String route) {
		String[] methodAndPath = route.split(" ");
		String app = hostile.maybe(80) ? "shop" : part(hostile);
		String path = methodAndPath[1].replace("{appName}", app)
			.replace("{engine}", app)
			.replace("{version:v1|v1beta1}", hostile.oneOf(List.of("v1", "v1beta1")));
		while (path.contains("{")) {
			String part = hostile.oneOf(List.of("ann", "ann", "s1", "bob", part(hostile)));
			path = path.replaceFirst("\\{[^}]*}", Matcher.quoteReplacement(part));
		}
		String query = hostile.maybe(30)
				? "?" + hostile.oneOf(List.of("limit", "pageToken", "order", "afterSeq", "afterTimestamp", "label",
						"lastUpdateTime", "numRecentEvents", "filter", "pageSize")) + "=" + part(hostile)
				: "";
		String type = hostile.oneOf(List.of("application/json", "application/json", "application/json", "text/plain",
				"application/merge-patch+json", "application/x-www-form-urlencoded", "multipart/form-data", "", "x"));
		String method = hostile.maybe(95) ? methodAndPath[0] : hostile.oneOf(List.of("PUT", "TRACE", "HEAD", "FOO"));
		return new RawRequest(method, path + query, headers(type), hostile.body());
	}

	private static String part(HostileText hostile) {
		return encode(hostile.text());
	}

	private static String headers(String type) {
		return "Authorization: Bearer " + Tokens.of("ann") + "\r\nContent-Type: " + type + "\r\n";
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

	private static String body(String answer) {
		return answer.substring(answer.indexOf("\r\n\r\n") + 4);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
