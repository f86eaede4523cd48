package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * Paths with a slash at their end, as some clients and their base addresses have them.
 */
@HttpTest
class TrailingSlashTests {

	private static final String SESSIONS = "/apps/slashes/users/users%2F1/sessions/";

	private static final String ENGINE = "/v1beta1/projects/p/locations/l/reasoningEngines/slashes/sessions/";

	private final Http http;

	TrailingSlashTests(Http http) {
		this.http = http;
	}

	@Test
	void pathsWithTrailingSlashAreServed() {
		assertThat(this.http.post(SESSIONS, "{\"sessionId\":\"s1\"}").ok().text("/userId")).isEqualTo("users/1");
		assertThat(this.http.post(SESSIONS + "s1/events/", "{\"id\":\"e1\",\"author\":\"a\"}").status()).isEqualTo(200);
		for (String path : List.of(SESSIONS, SESSIONS + "s1/", SESSIONS + "s1/events/?limit=1",
				SESSIONS + "s1/events/e1/", "/apps/slashes/sessions/", "/apps/slashes/state/", "/list-apps/",
				"/health/", "/version/", ENGINE, ENGINE + "s1/", ENGINE + "s1/events/?pageSize=1")) {
			assertThat(this.http.get(path).ok().body())
				.isEqualTo(this.http.get(path.replaceFirst("/(\\?|$)", "$1")).body());
		}
		assertThat(this.http.delete(SESSIONS + "s1/").status()).isEqualTo(204);
		assertThat(this.http.get(SESSIONS + "s1").status()).isEqualTo(404);
	}

	@Test
	void linksHaveNoTrailingSlash() {
		for (String id : List.of("a", "b")) {
			this.http.post(SESSIONS, "{\"sessionId\":\"" + id + "\"}").ok();
		}
		assertThat(this.http.get(SESSIONS + "?limit=1").header("Link").orElseThrow())
			.contains("/apps/slashes/users/users%2F1/sessions?limit=1&pageToken=");
	}

}
