package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.security.ApiKeys.ApiKey;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.LogsErrors;
import dev.agentsessions.support.ReadsLog;

/** Keys in a file are looked at again while the service runs. */
@ExtendWith(OutputCaptureExtension.class)
@LogsErrors
class ApiKeyReloadTests {

	private static final String SESSIONS = "/apps/shop/users/ann/sessions";

	private static final String STAY = "The API keys stay as they were";

	@TempDir
	private static Path folder;

	private static Path file;

	private static ConfigurableApplicationContext service;

	@BeforeAll
	static void start() throws IOException {
		file = folder.resolve("keys.yml");
		Files.writeString(file, keys("as_first"));
		service = new SpringApplicationBuilder(AgentSessionsApplication.class).run("--server.port=0",
				"--agent-sessions.embedded.keep-data=false", "--spring.config.import=file:" + file);
	}

	@AfterAll
	static void stop() {
		service.close();
	}

	@BeforeEach
	void acceptsTheFirstKey() throws IOException {
		look(keys("as_first"));
		assertThat(status("as_first")).isEqualTo(200);
		assertThat(rejected()).isZero();
	}

	@Test
	@ReadsLog(AuditTests.AUDIT)
	void recordsTheNamesOfChangedKeys(CapturedOutput output) throws IOException {
		int before = output.getAll().length();
		look(keys("as_first", "as_second") + "      - { name: shop, apps: shop, role: reader, sha256: "
				+ HexFormat.of().formatHex(ApiKey.hash("as_third")) + " }\n");
		look(keys("as_first", "as_second"));
		look(keys("as_first", "as_second") + "\n");
		assertThat(output.getAll().substring(before)).containsOnlyOnce("\"added\":[\"shop\",\"shop\"],\"removed\":[]}")
			.containsOnlyOnce("\"added\":[],\"removed\":[\"shop\"]}")
			.doesNotContain("as_", HexFormat.of().formatHex(ApiKey.hash("as_second")), "\"caller\"");
	}

	@Test
	void acceptsNewKeysAndNoRemovedOnes() throws IOException {
		look(keys("as_first", "as_second"));
		assertThat(status("as_first")).isEqualTo(200);
		assertThat(status("as_second")).isEqualTo(200);
		look(keys("as_second"));
		assertThat(status("as_first")).isEqualTo(401);
		assertThat(status("as_second")).isEqualTo(200);
	}

	@Test
	void endsWatchesOfRemovedKeysOnly() throws IOException {
		look(keys("as_first", "as_second"));
		new Call(port(), "POST", SESSIONS + "/watched").bearer("as_first").send();
		String watch = SESSIONS + "/watched/events:watch";
		try (EventSource removed = EventSource.open(port(), watch, "x-goog-api-key", "as_first");
				EventSource kept = EventSource.open(port(), watch, "x-goog-api-key", "as_second")) {
			look(keys("as_second"));
			assertThat(removed.next().data()).contains("CREDENTIALS_EXPIRED");
			assertThat(kept.next(Duration.ofSeconds(1))).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "agent-sessions: [", "agent-sessions: {security: {api-keys: []}}",
			"agent-sessions: {security: {api-keys: [{name: a, sha256: as_secret, apps: a, role: agent}]}}",
			"agent-sessions: {security: {api-keys: [{name: a, sha256: as_secret, apps: a, role: as_secret}]}}" })
	void keepsTheKeysWhereTheFileIsNotValidAndSaysSoOnce(String content, CapturedOutput output) throws IOException {
		int before = output.getAll().length();
		look(content);
		service.getBean(ApiKeyReload.class).run();
		assertThat(status("as_first")).isEqualTo(200);
		assertThat(rejected()).isOne();
		assertThat(output.getAll().substring(before)).containsOnlyOnce(STAY)
			.containsOnlyOnce("ERROR")
			.doesNotContain("as_secret", "\tat ");
	}

	@Test
	void keepsTheKeysWhereTheFileIsGone(CapturedOutput output) throws IOException {
		Files.delete(file);
		service.getBean(ApiKeyReload.class).run();
		assertThat(status("as_first")).isEqualTo(200);
		assertThat(output).contains(STAY);
	}

	@Test
	void looksAgainAndAgain() {
		assertThat(service.getBeansOfType(ScheduledTaskHolder.class).values())
			.flatExtracting(ScheduledTaskHolder::getScheduledTasks)
			.anyMatch((task) -> task.getTask().toString().contains(ApiKeyReload.class.getName()));
	}

	private static void look(String content) throws IOException {
		Files.writeString(file, content);
		service.getBean(ApiKeyReload.class).run();
	}

	private static double rejected() {
		return service.getBean(MeterRegistry.class).get("agentsessions.api.keys.rejected").gauge().value();
	}

	private static String keys(String... keys) {
		return Stream.of(keys)
			.map((key) -> "      - { name: shop, apps: shop, role: agent, sha256: %s }%n"
				.formatted(HexFormat.of().formatHex(ApiKey.hash(key))))
			.collect(Collectors.joining("", "agent-sessions:\n  security:\n    api-keys:\n", ""));
	}

	private static int status(String key) {
		return new Call(port(), "GET", SESSIONS).bearer(key).status();
	}

	private static int port() {
		return service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

}
