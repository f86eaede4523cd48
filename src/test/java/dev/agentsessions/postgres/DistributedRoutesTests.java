package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springdoc.core.models.GroupedOpenApi;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.docs.HttpExample;
import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.faults.Database;
import dev.agentsessions.openapi.ApiDescription;
import dev.agentsessions.openapi.ApiOperation;
import dev.agentsessions.postgres.ProcessorCosts.Side;
import dev.agentsessions.postgres.StatementRecorder.Recorded;
import dev.agentsessions.postgres.lifecycle.KeySweeper;
import dev.agentsessions.postgres.lifecycle.Purge;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Bodies;
import dev.agentsessions.support.EmbeddingServer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * Each route of each dialect with the statements for distributed tables, which are on
 * every table. deploy/citus/README.md says how to run this on Citus.
 */
@HttpTest
@Import(StatementRecorder.class)
@TestPropertySource(properties = { "agent-sessions.distributed=true", "agent-sessions.vertex.token-endpoint=true",
		"spring.flyway.locations=classpath:db/migration,filesystem:deploy/citus" })
class DistributedRoutesTests {

	private static final EmbeddingServer model = new EmbeddingServer();

	private static final String USER = "/apps/routes/users/u";

	private static final String SESSION = USER + "/sessions/s";

	private static final String SAID = "{\"state\":{\"user:a\":1},\"events\":[{\"id\":\"e\",\"author\":\"user\","
			+ "\"content\":{\"parts\":[{\"text\":\"car\"}]}}]}";

	@RegisterExtension
	private final CitusRules rules = new CitusRules();

	private final Http http;

	private final List<GroupedOpenApi> dialects;

	private final RequestMappingHandlerMapping mapping;

	private final JdbcTemplate jdbc;

	private final JdbcConnectionDetails database;

	private final Purge purge;

	private final KeySweeper sweeper;

	DistributedRoutesTests(Http http, List<GroupedOpenApi> dialects,
			@Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mapping, JdbcTemplate jdbc,
			JdbcConnectionDetails database, Purge purge, KeySweeper sweeper) {
		this.http = http;
		this.dialects = dialects;
		this.mapping = mapping;
		this.jdbc = jdbc;
		this.database = database;
		this.purge = purge;
		this.sweeper = sweeper;
	}

	@DynamicPropertySource
	static void settings(DynamicPropertyRegistry registry) {
		registry.add("agent-sessions.search.embeddings.url", model::url);
		registry.add("agent-sessions.search.embeddings.model", () -> "topics");
	}

	@AfterEach
	void limitsEachWaitForARow() {
		LockWaits.assertLimited(this.rules.recorded());
	}

	/**
	 * Writes down what each costs. Further bodies come after all others: they may change
	 * what others find.
	 */
	@Test
	void eachRouteOfEachDocumentSucceeds() {
		RequestCosts costs = new RequestCosts(this.jdbc, this.database);
		List<ApiOperation> operations = this.dialects.stream()
			.flatMap((dialect) -> ApiDescription.of(this.http, dialect.getGroup()).operations().stream())
			.toList();
		operations.forEach((operation) -> {
			int before = this.rules.recorded().size();
			assertAnswered(operation, operation.requestExamples().values().stream().findFirst(),
					operation.successStatus());
			costs.add(operation.route(), this.rules.recorded().stream().skip(before).toList());
		});
		costs.write();
		assertThat(RequestCosts.TABLE).content().contains("| `GET /list-apps` | ");
		operations.forEach((operation) -> operation.requestExamples()
			.values()
			.forEach((body) -> assertAnswered(operation, Optional.of(body), 499)));
	}

	private void assertAnswered(ApiOperation operation, Optional<JsonNode> body, int maxStatus) {
		Answer answer = operation.execute(this.http, body.orElse(null));
		assertThat(answer.status()).as("%s: %s", operation.route(), answer.body()).isLessThanOrEqualTo(maxStatus);
	}

	/**
	 * Beside a plain PostgreSQL in turns. What it measures says something only with
	 * Citus.
	 */
	@Test
	void eachKindOfRequestIsMeasured(@TempDir Path folder) throws Exception {
		Optional<List<ProcessHandle>> servers = this.jdbc
			.execute((Connection connection) -> ProcessorTime.serversOf(connection));
		if (servers.isEmpty()) {
			ProcessorCosts.writeNothing();
			return;
		}
		try (Database plain = new Database(folder.resolve("postgres"));
				Connection connection = plain.connect();
				ServiceProcess beside = ServiceProcess.start(folder,
						plain.arguments("--agent-sessions.distributed=false"));
				ServiceProcess measured = ServiceProcess.start(folder, "--agent-sessions.distributed=true",
						"--spring.datasource.url=" + this.database.getJdbcUrl(),
						"--spring.datasource.username=" + Objects.toString(this.database.getUsername(), ""),
						"--spring.datasource.password=" + Objects.toString(this.database.getPassword(), ""))) {
			new ProcessorCosts(new Side(measured, servers.get()),
					new Side(beside, ProcessorTime.serversOf(connection).orElseThrow()))
				.write();
		}
		assertThat(ProcessorCosts.TABLE).content().contains("| an append | ");
	}

	@Test
	void examplesForEditorsWriteEveryTable() throws Exception {
		HttpClient client = HttpClient.newHttpClient();
		for (HttpExample example : HttpExample.read(Path.of("docs/http/sessions.http"),
				"http://localhost:" + this.http.port())) {
			HttpResponse<String> answer = client.send(example.request(), Bodies.text());
			assertThat(answer.statusCode()).as("%s: %s", example, answer.body()).isEqualTo(example.status());
		}
		forgetAHit();
		Awaitility.await()
			.atMost(1, TimeUnit.MINUTES)
			.untilAsserted(() -> assertThat(CitusRules.firstColumns().keySet()).allMatch(this::isWritten));
	}

	private void forgetAHit() {
		createSession(SAID);
		String hit = this.http.get(USER + "/events:search?q=car").ok().text("/hits/0/id");
		assertThat(this.http.delete(USER + "/memories/" + hit).status()).isEqualTo(204);
	}

	private boolean isWritten(String table) {
		return this.rules.statements().anyMatch(Pattern.compile("\\binsert into " + table + "\\b").asPredicate());
	}

	@Test
	void eachPageOfTheConsoleIsShown() {
		createSession(SAID);
		assertThat(pages()).hasSizeGreaterThan(20)
			.allSatisfy((page) -> assertThat(this.http.get(page).status()).as(page).isLessThan(500));
	}

	private Stream<String> pages() {
		return this.mapping.getHandlerMethods()
			.keySet()
			.stream()
			.filter((route) -> route.getMethodsCondition().getMethods().contains(RequestMethod.GET))
			.flatMap((route) -> route.getPatternValues().stream())
			.filter((path) -> path.startsWith("/console/apps/{appName}"))
			.map((path) -> path.replace("{appName}", "routes")
				.replace("{userId}", "u")
				.replace("{sessionId}", "s")
				.replace("{eventId}", "e")
				.replaceAll("\\{[^}]*}", "0") + "?query=car");
	}

	@Test
	void purgeRemovesWhatHasExpired() {
		createSession("{\"ttl\":\"0.000001s\"}");
		this.http.post(USER + "/memories", "{\"text\":\"car\",\"ttl\":\"0.000001s\"}");
		this.purge.run();
		this.sweeper.run();
		assertThat(this.jdbc.queryForObject("select count(*) from sessions where expire_time < now()", Long.class))
			.isZero();
	}

	private void createSession(String body) {
		this.http.delete(SESSION);
		this.http.post(SESSION, body).ok();
	}

	@Test
	void eachTableIsDistributedOrStaysWithTheCoordinator() {
		assertThat(this.jdbc.queryForList(
				"select relname::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
				String.class))
			.containsAll(CitusRules.firstColumns().keySet())
			.filteredOn((table) -> !CitusRules.firstColumns().containsKey(table))
			.containsExactlyInAnyOrder("secrets", "signed_out_cookies", "buckets", "replicas", "app_state_changes",
					"flyway_schema_history");
	}

}
