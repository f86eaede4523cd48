package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.security.Call;
import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Tokens;

/** Users who are called what paths are made of, such as those of Google Chat. */
class UserIdTests extends SecuredServiceTest {

	private static final String ENGINE = "/v1beta1/projects/p/locations/l/reasoningEngines/shop/sessions";

	static Stream<String> users() {
		return Stream.of("users/123", "spaces/a/b", "a\\b", "a;b=c", "100%", "a%2Fb", "a%252Fb", "../ann", "ann/..",
				"/", "//", ";", "%", "\\", "ann/sessions/s1", "a/state", "a?b#c", "\u00e9/\ud83d\ude00");
	}

	@ParameterizedTest
	@MethodSource("users")
	void userIdsAreEncodedInPaths(String user) {
		String token = Tokens.of(user);
		for (String id : new String[] { "s1", "s2" }) {
			json(call("POST", path(user) + "/sessions/" + id).bearer(token).json("{\"user:of\":" + quoted(user) + "}"));
		}
		JsonNode session = json(call("GET", path(user) + "/sessions/s1").bearer(token));
		assertThat(session.at("/userId").stringValue()).isEqualTo(user);
		assertThat(session.at("/state/user:of").stringValue()).isEqualTo(user);
		assertThat(json(call("GET", path(user) + "/state").bearer(token)).at("/of").stringValue()).isEqualTo(user);
		JsonNode sessions = json(call("GET", path(user) + "/sessions/").bearer(token));
		assertThat(sessions.findValuesAsString("id")).contains("s1", "s2");
		assertThat(sessions.findValuesAsString("userId")).containsOnly(user);
	}

	@ParameterizedTest
	@MethodSource("users")
	void userIdsAreEncodedInLinks(String user) {
		String token = Tokens.of(user);
		call("POST", path(user) + "/sessions/linked").bearer(token).json("{}").send();
		call("POST", path(user) + "/sessions/linked/events").bearer(token).json("{\"author\":\"a\"}").send();
		HttpResponse<String> stale = call("POST", path(user) + "/sessions/linked/events").bearer(token)
			.header("If-Match", "\"0\"")
			.json("{\"author\":\"b\"}")
			.send();
		String missed = JsonMapper.shared().readTree(stale.body()).at("/missedEvents").stringValue();
		assertThat(json(call("GET", missed).bearer(token)).at("/events")).hasSize(1);
		call("POST", path(user) + "/sessions/other").bearer(token).json("{}").send();
		String link = call("GET", path(user) + "/sessions?limit=1").bearer(token)
			.send()
			.headers()
			.firstValue("Link")
			.orElseThrow();
		URI next = URI.create(link.substring(1, link.indexOf('>')));
		assertThat(next.getRawPath()).isEqualTo(path(user) + "/sessions");
		assertThat(json(call("GET", next.getRawPath() + "?" + next.getRawQuery()).bearer(token))).isNotEmpty();
	}

	@ParameterizedTest
	@MethodSource("users")
	void userIdsAreAcceptedInVertexDialect(String user) {
		String token = Tokens.of(user);
		JsonNode operation = json(call("POST", ENGINE).bearer(token).json("{\"userId\":" + quoted(user) + "}"));
		assertThat(operation.at("/response/userId").stringValue()).isEqualTo(user);
		String name = operation.at("/response/name").stringValue();
		assertThat(json(call("GET", "/v1beta1/" + name).bearer(token)).at("/userId").stringValue()).isEqualTo(user);
		String filter = URLEncoder.encode("user_id=" + quoted(user), StandardCharsets.UTF_8);
		JsonNode list = json(call("GET", ENGINE + "?filter=" + filter).bearer(token)).at("/sessions");
		assertThat(list).isNotEmpty().allMatch((session) -> session.at("/userId").stringValue().equals(user));
		assertThat(call("GET", "/v1beta1/" + name).bearer(Tokens.of("ann")).status()).isEqualTo(404);
		String id = name.substring(name.lastIndexOf('/') + 1);
		assertThat(call("GET", path(user) + "/sessions/" + id).bearer(token).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@MethodSource("users")
	void similarUserIdsAreDifferentUsers(String user) {
		call("POST", path(user) + "/sessions/own").bearer(Tokens.of(user)).json("{}").send();
		users().filter((other) -> !other.equals(user)).forEach((other) -> {
			assertThat(call("GET", path(user) + "/sessions/own").bearer(Tokens.of(other)).status()).isEqualTo(404);
			assertThat(call("GET", path(user) + "/state").bearer(Tokens.of(other)).status()).isEqualTo(403);
			call("DELETE", path(other)).as(Keys.ADMINISTRATOR).send();
		});
		assertThat(call("GET", path(user) + "/sessions/own").as(Keys.AGENT).status()).isEqualTo(200);
		assertThat(call("DELETE", path(user)).as(Keys.ADMINISTRATOR).status()).isEqualTo(200);
		assertThat(call("GET", path(user) + "/sessions/own").as(Keys.AGENT).status()).isEqualTo(404);
	}

	private static JsonNode json(Call call) {
		HttpResponse<String> answer = call.send();
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(answer.body());
	}

	private static String path(String user) {
		return "/apps/shop/users/" + URLEncoder.encode(user, StandardCharsets.UTF_8).replace("+", "%20");
	}

	private static String quoted(String text) {
		return JsonMapper.shared().writeValueAsString(text);
	}

}
