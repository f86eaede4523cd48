package dev.agentsessions.security;

import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** The log says who did what, and repeats nothing that is secret. */
@ExtendWith(OutputCaptureExtension.class)
class RequestLogTests extends SecuredServiceTest {

	private static final String SESSION = "/apps/shop/users/ann/sessions/s-logged";

	@Test
	void namesTheCallerTheIdsAndTheOutcome(CapturedOutput output) {
		call("GET", SESSION + "/events").as(Keys.READER).send();
		awaitLog(() -> assertThat(output).containsPattern("GET " + SESSION + "/events (200|404) \\d+us reader"));
	}

	@Test
	void namesTheUserOfATokenInOneWord(CapturedOutput output) {
		call("GET", SESSION).bearer(Tokens.of("eve\nGET /forged 200 1us root")).send();
		awaitLog(() -> assertThat(output).contains("us user_eve_GET").doesNotContain("\nGET /forged"));
	}

	@Test
	void logsWhoeverIsRefused(CapturedOutput output) {
		call("GET", SESSION).send();
		awaitLog(() -> assertThat(output).containsPattern("GET " + SESSION + " 401 \\d+us -"));
	}

	@Test
	void containsNoContentKeyOrToken(CapturedOutput output) {
		String token = Tokens.of("ann");
		call("POST", SESSION + "?lastUpdateTime=secret-query").as(Keys.AGENT)
			.json("{\"state\":{\"a\":\"secret-state\"}}")
			.send();
		call("POST", SESSION + "/events").as(Keys.AGENT).json("{\"secret-field\":1}").send();
		call("POST", SESSION + "/events").bearer(token).json("{\"broken\": secret-json}").send();
		call("GET", SESSION).bearer("as_secret-key").header("Cookie", "secret-cookie").send();
		awaitLog(() -> assertThat(output).contains(SESSION).doesNotContain("secret", Keys.AGENT.key(), token));
	}

	/** A line is written when the answer has gone. */
	private static void awaitLog(ThrowingRunnable assertion) {
		Awaitility.await().untilAsserted(assertion);
	}

}
