package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.agentsessions.security.hostile.RawRequest;
import dev.agentsessions.support.ReadsLog;

/** Whatever path and query a caller sends: no fault, and one line in the log. */
@ExtendWith(OutputCaptureExtension.class)
@ReadsLog
class UnknownCallerTests extends SecuredServiceTest {

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/health/a%2Fb", "/actuator/health/..%2fx", "/actuator/health?x=%ff",
			"/actuator/health/liveness?%ff", "/actuator/health/a;b", "/?x=%ff", "/?%", "/v3/api-docs?x=%ff",
			"/v3/api-docs.yaml/adk?x=%ff", "/swagger-ui.html?x=%ff", "/swagger-ui/index.html?x=%ff", "/health?x=%ff",
			"/version?x=%ff", "/console/static/console.js?x=%ff" })
	void isRefusedInOneLine(String target, CapturedOutput output) throws IOException {
		assertThat(status(target, "")).isEqualTo(400);
		assertOneLine(target, output);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator?x=%ff", "/actuator/env?x=%ff", "/actuator/metrics?x=%ff", "/console?x=%ff",
			"/actuator/loggers/a%2Fb", "/actuator/health/a%2Fb", "/actuator/health?x=%ff", "/console/apps/a%2Fb",
			"/console/static/a%2Fb" })
	void isNoBetterAsAnAdministrator(String target, CapturedOutput output) throws IOException {
		assertThat(status(target, "x-goog-api-key: " + Keys.ADMINISTRATOR.key() + "\r\n")).isIn(400, 404);
		assertOneLine(target, output);
	}

	private int status(String target, String headers) throws IOException {
		return RawRequest.status(new RawRequest("GET", target, headers, "").send(port()));
	}

	/** A line is written when the answer has gone. */
	private static void assertOneLine(String target, CapturedOutput output) {
		String path = target.split("\\?")[0];
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("GET " + path + " "));
		assertThat(output.getAll().split("GET ", -1)[1].lines()).hasSize(1);
		assertThat(output).doesNotContain("Exception", "\tat ");
	}

}
