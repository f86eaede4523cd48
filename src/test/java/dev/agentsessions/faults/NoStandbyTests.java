package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.docs.HttpExample;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SecretStore.SignOutStore;
import dev.agentsessions.session.SecretStore.SignOutStore.SignIn;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Bodies;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * While the synchronous standby is away, no route says that a write has succeeded, not
 * even when it finds the work done by an earlier request. Reads go on.
 */
@HttpTest
// Otherwise the first list would store a key
@TestPropertySource(properties = "agent-sessions.page-token-key=0123456789abcdef0123456789abcdef")
class NoStandbyTests {

	private static final String ADMINISTRATOR = "administrator";

	private static final String READER = "reader";

	/** They count, or write what a later search would compute again. */
	private static final Set<String> SURE = Set.of("Add a session to memory, as ADK does",
			"Index the users of the app before they search",
			"Count the memories of a user, or delete them with \"force\"");

	private static final String WAITS = "select pid, query_start from pg_stat_activity "
			+ "where datname = current_database() and wait_event = 'SyncRep'";

	/** The driver sends the name of the application after it has connected. */
	private static final String OLDER_CONNECTION = "select exists (select from pg_stat_activity "
			+ "where datname = current_database() and application_name in ('agent-sessions', '') "
			+ "and pid <> pg_backend_pid() and backend_start < ?)";

	/**
	 * A connection that begins locks the database, reads its settings, and is in the list
	 * of connections before it releases the lock.
	 */
	private static final String BEGINNING_CONNECTION = """
			select exists (select from pg_locks where locktype = 'object' and classid = 'pg_database'::regclass
			  and objid = (select oid from pg_database where datname = current_database())
			  and mode = 'RowExclusiveLock')
			""";

	private static final String SET = "do $$ begin execute format('alter database %%I set synchronous_commit = %s', "
			+ "current_database()); end $$";

	private final HttpClient client = HttpClient.newHttpClient();

	private final Http http;

	private final SignOutStore signOuts;

	private final JdbcTemplate direct;

	private final HikariDataSource pool;

	private final Set<Map<String, Object>> cancelled = new HashSet<>();

	private final ScheduledExecutorService impatience = Executors.newSingleThreadScheduledExecutor();

	NoStandbyTests(Http http, SignOutStore signOuts, JdbcConnectionDetails server, DataSource dataSource)
			throws SQLException {
		this.http = http;
		this.signOuts = signOuts;
		this.direct = new JdbcTemplate(
				new DriverManagerDataSource(server.getJdbcUrl(), server.getUsername(), server.getPassword()));
		this.pool = dataSource.unwrap(HikariDataSource.class);
	}

	@DynamicPropertySource
	static void configure(DynamicPropertyRegistry registry) throws GeneralSecurityException {
		List<String> roles = List.of(ADMINISTRATOR, READER);
		for (String role : roles) {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(key(role).getBytes(StandardCharsets.UTF_8));
			String prefix = "agent-sessions.security.api-keys[" + roles.indexOf(role) + "].";
			registry.add(prefix + "name", () -> role);
			registry.add(prefix + "role", () -> role);
			registry.add(prefix + "apps", () -> "*");
			registry.add(prefix + "sha256", () -> HexFormat.of().formatHex(hash));
		}
	}

	private static String key(String role) {
		return "as_key-of-the-tests-for-" + role;
	}

	@BeforeEach
	void takeStandbyAway() {
		setSynchronousCommit("on");
	}

	@AfterEach
	void bringStandbyBack() {
		setSynchronousCommit("off");
	}

	/** The shared PostgreSQL waits for a standby that it does not have. */
	private void setSynchronousCommit(String value) {
		this.direct.execute(SET.formatted(value));
		Object now = this.direct.queryForObject("select clock_timestamp()", Object.class);
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> {
			this.pool.getHikariPoolMXBean().softEvictConnections();
			return !is(BEGINNING_CONNECTION) && !is(OLDER_CONNECTION, now);
		});
	}

	private boolean is(String sql, Object... parameters) {
		return Boolean.TRUE.equals(this.direct.queryForObject(sql, Boolean.class, parameters));
	}

	@BeforeEach
	void startCancelling() {
		this.impatience.scheduleWithFixedDelay(this::cancelWaits, 0, 2, TimeUnit.MILLISECONDS);
	}

	/**
	 * The time-out of the driver does the same, after a second at the earliest. Cancels
	 * each wait once: a second signal could hit the next statement.
	 */
	private void cancelWaits() {
		this.direct.queryForList(WAITS)
			.stream()
			.filter(this.cancelled::add)
			.forEach((wait) -> this.direct.queryForList("select pg_cancel_backend(?)", wait.get("pid")));
	}

	@AfterEach
	void stopCancelling() {
		this.impatience.shutdown();
	}

	@Test
	void noRouteAcknowledgesAWriteOrItsRetry() throws Exception {
		Map<String, List<Integer>> answers = new LinkedHashMap<>();
		for (HttpExample example : examples("demo")) {
			if (!isWrite(example)) {
				assertThat(send(example, ADMINISTRATOR)).as("read: %s", example).isEqualTo(example.status());
			}
			else {
				answers.put(example.title(), answersWithoutStandby(example));
			}
		}
		answers.keySet().removeAll(SURE);
		assertThat(answers).hasSizeGreaterThan(20).allSatisfy(NoStandbyTests::areErrors);
	}

	/** Maybe the session is gone because another replica has deleted it. */
	@Test
	void noRouteAcknowledgesThatThereIsNothingToChange() throws Exception {
		Map<String, List<Integer>> answers = new LinkedHashMap<>();
		for (HttpExample example : examples("nowhere")) {
			if (isWrite(example)) {
				answers.put(example.title(), List.of(send(example, ADMINISTRATOR)));
			}
		}
		answers.keySet().removeAll(SURE);
		assertThat(answers).hasSizeGreaterThan(20).allSatisfy(NoStandbyTests::areErrors);
	}

	@Test
	void doesNotAcknowledgeAnImportThatChangesNothing() {
		String user = "/apps/imported/users/u";
		bringStandbyBack();
		this.http.post(user + "/sessions/s", "{}", "Authorization", "Bearer " + key(ADMINISTRATOR)).ok();
		String export = send("GET", user + ":export", "").body();
		takeStandbyAway();
		assertThat(send("POST", user + ":import", export).status()).isEqualTo(503);
		bringStandbyBack();
		assertThat(send("POST", user + ":import", export).ok().at("/unchanged").intValue()).isEqualTo(1);
	}

	private Answer send(String method, String path, String lines) {
		return this.http.send(method, path, BodyPublishers.ofString(lines), "Content-Type", "application/x-ndjson",
				"Authorization", "Bearer " + key(ADMINISTRATOR));
	}

	private static void areErrors(String title, List<Integer> answers) {
		assertThat(answers).as(title).allMatch((status) -> status >= 400);
	}

	private List<HttpExample> examples(String app) throws IOException {
		return HttpExample.read(Path.of("docs/http/sessions.http"), "http://localhost:" + this.http.port())
			.stream()
			.map((example) -> example.at(app))
			.toList();
	}

	/** Whether a caller that may only read is refused. */
	private boolean isWrite(HttpExample example) throws IOException, InterruptedException {
		return !example.request().method().equals("GET") && send(example, READER) == 403;
	}

	/** The first request, its retry, and a retry after the standby had everything. */
	private List<Integer> answersWithoutStandby(HttpExample example) throws IOException, InterruptedException {
		List<Integer> answers = new ArrayList<>();
		answers.add(send(example, ADMINISTRATOR));
		answers.add(send(example, ADMINISTRATOR));
		bringStandbyBack();
		send(example, ADMINISTRATOR);
		takeStandbyAway();
		answers.add(send(example, ADMINISTRATOR));
		return answers;
	}

	private int send(HttpExample example, String role) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(example.request(), (name, value) -> true)
			.header("Authorization", "Bearer " + key(role))
			.build();
		return this.client.send(request, Bodies.text()).statusCode();
	}

	@Test
	void refusesToSignOutWithoutStandby() {
		SignIn signIn = new SignIn("0".repeat(64), "1".repeat(64), Instant.now().plusSeconds(60));
		for (int attempt = 1; attempt <= 2; attempt++) {
			assertThatExceptionOfType(SessionException.Unavailable.class)
				.isThrownBy(() -> this.signOuts.signOut(signIn));
		}
		assertThat(this.signOuts.isSignedOut(signIn)).isTrue();
	}

}
