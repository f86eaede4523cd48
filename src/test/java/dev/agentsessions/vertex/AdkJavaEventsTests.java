package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import dev.agentsessions.AgentSessionsApplication;

/**
 * Runs the conformance program in Java, which uses the published session service of ADK.
 * It has a process of its own, because what ADK brings along would change the service on
 * one class path with it.
 */
@Tag("slow")
class AdkJavaEventsTests {

	private static final String ENGINE = "1234567890";

	@TempDir
	private Path data;

	@ParameterizedTest
	@ValueSource(strings = { "1.8.0", "1.4.0" })
	void worksUnchangedAndAcrossARestartOfBothSides(String version) throws IOException {
		assertThat(converse(version, "before")).contains("(before): 12 passed, 0 failed");
		assertThat(converse(version, "after")).contains("(after): 2 passed, 0 failed");
	}

	private String converse(String version, String phase) throws IOException {
		try (ConfigurableApplicationContext service = SpringApplication.run(AgentSessionsApplication.class,
				"--server.port=0", "--agent-sessions.embedded.data-directory=" + this.data.resolve("postgres"))) {
			String port = service.getEnvironment().getRequiredProperty("local.server.port");
			return run(port, "-Dgoogle-adk.version=" + version, "-Dphase=" + phase);
		}
	}

	private static String run(String port, String version, String phase) throws IOException {
		ProcessBuilder program = new ProcessBuilder("./mvnw", "-q", "-B", "-ntp", "-f", "conformance/java/pom.xml",
				"compile", "exec:exec", version, phase)
			.redirectErrorStream(true);
		program.environment().put("JAVA_HOME", System.getProperty("java.home"));
		program.environment().put("AGENT_SESSIONS_URL", "http://localhost:" + port);
		program.environment().put("CONFORMANCE_ENGINE", ENGINE);
		program.environment().put("CONFORMANCE_LANGUAGES", "java");
		Process process = program.start();
		process.getOutputStream().close();
		return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

}
