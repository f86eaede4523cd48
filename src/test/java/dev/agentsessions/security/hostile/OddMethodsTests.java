package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Tokens;

/** Methods that no route knows. */
class OddMethodsTests extends SecuredServiceTest {

	private static final String SESSIONS = "/apps/shop/users/ann/sessions";

	private static final String ENGINE = "/v1beta1/projects/p/locations/l/reasoningEngines/shop/sessions";

	@ParameterizedTest
	@MethodSource
	void unknownMethodsGetClientErrorInFormatOfDialect(String method, String target) throws IOException {
		for (String headers : List.of("", "Authorization: Bearer " + Tokens.of("ann") + "\r\n")) {
			String answer = new RawRequest(method, target, headers, "").send(port());
			assertThat(RawRequest.status(answer)).as(answer).isBetween(400, 499);
			if (target.startsWith("/v1")) {
				assertThat(answer).contains("\"error\":{\"code\":4");
			}
			else {
				assertThat(answer).contains("application/problem+json", "\"error\":\"");
			}
		}
	}

	static Stream<Arguments> unknownMethodsGetClientErrorInFormatOfDialect() {
		List<String> targets = List.of(SESSIONS, SESSIONS + "/s1", ENGINE, ENGINE + "/s1", ENGINE + "/s1:appendEvent",
				"/", "/health", "/nowhere", "localhost:80", "*");
		return Stream.of("CONNECT", "TRACE", "PROPFIND", "FOO", "get", "M-SEARCH", "PRI", "X".repeat(300))
			.flatMap((method) -> targets.stream().map((target) -> Arguments.of(method, target)));
	}

}
