package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.console.PageVisitor;
import dev.agentsessions.postgres.lifecycle.Purge;
import dev.agentsessions.session.AuditLog;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Bash;
import dev.agentsessions.support.ReadsLog;

/**
 * Operators can see who has deleted what, who has signed in, and which keys have changed.
 */
@ReadsLog(AuditTests.AUDIT)
class AuditTests extends SecuredServiceTest {

	static final String AUDIT = "dev.agentsessions.audit";

	private static final String USER = "/apps/shop/users/ann";

	private static final String SESSION = USER + "/sessions/s-audited";

	private static final String PURGE_OF_BOB = """
			{"filter": "scope=\\"{\\\\\\"app_name\\\\\\": \\\\\\"shop\\\\\\", \\\\\\"user_id\\\\\\": \\\\\\"bob\\\\\\"}\\"", "force": true}
			""";

	private final Logger logger = (Logger) LoggerFactory.getLogger(AUDIT);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@TempDir
	private Path folder;

	@Autowired
	private Purge purge;

	@Autowired
	private JdbcTemplate jdbc;

	@BeforeEach
	void makesASession() {
		this.purge.run();
		call("POST", SESSION).as(Keys.AGENT).json("{\"events\":[{\"author\":\"secret-a\"}]}").send();
		call("POST", USER + "/memories").as(Keys.AGENT).json("{\"id\":\"tea\",\"text\":\"secret-tea\"}").send();
		this.lines.list = new CopyOnWriteArrayList<>();
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.lines);
	}

	@ParameterizedTest
	@ValueSource(strings = { SESSION, "/v1/reasoningEngines/shop/sessions/s-audited" })
	void recordsTheDeletionOfASession(String path) {
		call("DELETE", path).as(Keys.AGENT).header("X-Request-Id", "r1").send();
		assertThat(line("session.delete")).isEqualTo(by("agent", "AGENT", "r1", "session.delete",
				Map.of("app", "shop", "user", "ann", "session", "s-audited", "sessions", 1)));
	}

	@Test
	void recordsTheErasureOfAUser() {
		call("DELETE", USER).bearer(Tokens.ofAdministrator("root")).header("X-Request-Id", "r2").send();
		assertThat(line("user.erase"))
			.containsAllEntriesOf(
					by("user root", "ADMINISTRATOR", "r2", "user.erase", Map.of("app", "shop", "user", "ann")))
			.containsKeys("sessions", "events", "userStateKeys");
	}

	@Test
	void recordsTheDeletionOfFacts() {
		Map<String, String> scope = Map.of("app_name", "shop", "user_id", "ann");
		call("DELETE", USER + "/memories/tea").as(Keys.AGENT).header("X-Request-Id", "r3").send();
		assertThat(line("fact.delete")).isEqualTo(by("agent", "AGENT", "r3", "fact.delete",
				Map.of("app", "shop", "scope", scope, "fact", "tea", "facts", 1)));
	}

	@Test
	void recordsTheDeletionOfArtifacts() {
		call("PUT", SESSION + "/artifacts/a.txt").as(Keys.AGENT).json("{}").send();
		call("DELETE", SESSION + "/artifacts/a.txt/versions/7").as(Keys.AGENT).header("X-Request-Id", "r4").send();
		assertThat(line("artifact.delete")).isEqualTo(by("agent", "AGENT", "r4", "artifact.delete", Map.of("app",
				"shop", "user", "ann", "session", "s-audited", "artifact", "a.txt", "version", 7, "versions", 0)));
		this.lines.list.clear();
		call("DELETE", USER + "/artifacts/a.txt").as(Keys.AGENT).header("X-Request-Id", "r5").send();
		assertThat(line("artifact.delete")).isEqualTo(by("agent", "AGENT", "r5", "artifact.delete",
				Map.of("app", "shop", "user", "ann", "artifact", "user:a.txt", "versions", 0)));
	}

	@Test
	void recordsWhatPeopleDoInTheConsole() {
		PageVisitor visitor = new PageVisitor(port());
		assertThat(visitor.signIn("as_guessed-key").status()).isEqualTo(401);
		assertThat(line("console.sign-in-refused")).containsOnlyKeys("time", "action", "address", "requestId");
		assertThat(visitor.signIn("").status()).isEqualTo(401);
		this.lines.list.clear();
		visitor.signIn(Keys.AGENT.key());
		assertThat(line("console.sign-in")).containsEntry("caller", "agent").containsEntry("role", "AGENT");
		String page = "/console" + SESSION + "/delete";
		Answer form = visitor.get(page);
		String sessionKey = form.body().replaceAll("(?s).*name=\"sessionKey\" value=\"([^\"]+)\".*", "$1");
		assertThat(visitor.submit(page, page, "sessionKey", sessionKey).status()).isEqualTo(303);
		assertThat(line("session.delete")).containsEntry("caller", "agent").containsEntry("sessions", 1);
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.allSatisfy((line) -> assertThat(line).doesNotContain("guessed", Keys.AGENT.key(), "secret"));
	}

	@Test
	void recordsHowManyExpiredSessionsThePurgeHasRemoved() {
		this.jdbc.update("update sessions set expire_time = now() where id = 's-audited'");
		this.purge.run();
		assertThat(line("expired.purge")).containsEntry("sessions", 1)
			.containsEntry("facts", 0)
			.doesNotContainKeys("caller", "address");
	}

	/** As after a restore, when what was deleted since the backup is there again. */
	@Test
	void deletionsCanBeRepeated() throws IOException {
		makeThingsToDelete();
		call("DELETE", USER + "/sessions/kept").as(Keys.AGENT).send();
		String backup = Instant.now().toString();
		call("DELETE", SESSION + "/artifacts/a.txt").as(Keys.AGENT).send();
		call("DELETE", SESSION + "/artifacts/c.txt/versions/1").as(Keys.AGENT).send();
		call("DELETE", USER + "/artifacts/b.txt").as(Keys.AGENT).send();
		call("DELETE", USER + "/memories/tea").as(Keys.AGENT).send();
		call("POST", "/v1/reasoningEngines/shop/memories:purge").as(Keys.AGENT).json(PURGE_OF_BOB).send();
		call("DELETE", USER + "/sessions/s%20%26").as(Keys.AGENT).send();
		call("DELETE", "/apps/shop/users/eve").as(Keys.ADMINISTRATOR).send();
		List<String> audit = this.lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
		// The numbers of versions begin anew, as in a restored database
		call("DELETE", SESSION + "/artifacts/c.txt").as(Keys.AGENT).send();
		makeThingsToDelete();
		Path file = Files.write(this.folder.resolve("audit.json"), audit);

		List<String> gone = List.of(SESSION + "/artifacts/a.txt", SESSION + "/artifacts/c.txt/versions/1",
				USER + "/artifacts/b.txt", USER + "/memories/tea", "/apps/shop/users/bob/memories/milk",
				USER + "/sessions/s%20%26", "/apps/shop/users/eve/sessions/s");
		assertThat(gone).allSatisfy((path) -> assertThat(call("GET", path).as(Keys.AGENT).status()).isEqualTo(200));
		String command = "deploy/repeat-deletions http://localhost:%d %s < %s; echo exit code $?".formatted(port(),
				backup, file);
		String printed = Bash.run(List.of(command), Map.of("AGENT_SESSIONS_KEY", Keys.ADMINISTRATOR.key())).get(0);

		assertThat(printed).contains("exit code 0");
		assertThat(gone)
			.allSatisfy((path) -> assertThat(call("GET", path).as(Keys.AGENT).status()).as(printed).isEqualTo(404));
		assertThat(call("GET", USER + "/sessions/kept").as(Keys.AGENT).status()).isEqualTo(200);
		assertThat(call("GET", SESSION).as(Keys.AGENT).status()).isEqualTo(200);
		assertThat(call("GET", SESSION + "/artifacts/c.txt/versions/0").as(Keys.AGENT).status()).isEqualTo(200);
	}

	private void makeThingsToDelete() {
		for (String path : List.of(USER + "/sessions/kept", USER + "/sessions/s%20%26",
				"/apps/shop/users/eve/sessions/s")) {
			call("POST", path).as(Keys.AGENT).json("{}").send();
		}
		for (String name : List.of("a.txt", "c.txt", "c.txt")) {
			call("PUT", SESSION + "/artifacts/" + name).as(Keys.AGENT).json("{}").send();
		}
		call("PUT", USER + "/artifacts/b.txt").as(Keys.AGENT).json("{}").send();
		call("POST", USER + "/memories").as(Keys.AGENT).json("{\"id\":\"tea\",\"text\":\"x\"}").send();
		call("POST", "/apps/shop/users/bob/memories").as(Keys.AGENT).json("{\"id\":\"milk\",\"text\":\"x\"}").send();
	}

	@Test
	void recordsNothingOfRefusedActions() {
		call("DELETE", SESSION).as(Keys.READER).send();
		call("DELETE", SESSION).bearer(Tokens.of("bob")).send();
		call("DELETE", SESSION).as(Keys.AGENT).header("If-Match", "\"77\"").send();
		call("DELETE", SESSION).send();
		call("DELETE", USER).as(Keys.AGENT).send();
		call("DELETE", USER + "/memories/tea").as(Keys.READER).send();
		call("DELETE", "/v1/reasoningEngines/shop/sessions/s-audited").as(Keys.FOREIGN_APP).send();
		assertThat(this.lines.list).isEmpty();
		assertThat(call("GET", SESSION).as(Keys.READER).status()).isEqualTo(200);
	}

	/** Each service that lets a store delete records it. */
	@Test
	void everyDeletionIsRecorded() {
		Set<JavaCodeUnit> deleting = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackages("dev.agentsessions.session", "dev.agentsessions.search")
			.stream()
			.flatMap((type) -> type.getMethodCallsFromSelf().stream())
			.filter((call) -> call.getTargetOwner().getSimpleName().endsWith("Store")
					&& call.getName().matches("(delete|erase|forget|remove).*"))
			.map(JavaMethodCall::getOrigin)
			.collect(Collectors.toSet());
		assertThat(deleting).hasSizeGreaterThanOrEqualTo(4)
			.allSatisfy((method) -> assertThat(method.getMethodCallsFromSelf())
				.anyMatch((call) -> call.getTargetOwner().isAssignableTo(AuditLog.class)));
	}

	private static Map<String, Object> by(String caller, String role, String request, String action,
			Map<String, Object> details) {
		Map<String, Object> line = new HashMap<>(details);
		line.putAll(
				Map.of("action", action, "caller", caller, "role", role, "address", "127.0.0.1", "requestId", request));
		return line;
	}

	/** The only line of an action, without its time if it has a caller. */
	private Map<String, Object> line(String action) {
		List<JsonNode> found = this.lines.list.stream()
			.map((line) -> JsonMapper.shared().readTree(line.getFormattedMessage()))
			.filter((line) -> line.get("action").stringValue().equals(action))
			.toList();
		assertThat(found).as(action).hasSize(1);
		assertThat(found.get(0).get("time").stringValue()).matches("\\d{4}-.*Z");
		Map<String, Object> line = JsonMapper.shared().convertValue(found.get(0), new TypeReference<>() {
		});
		if (line.containsKey("caller")) {
			line.remove("time");
		}
		return line;
	}

}
