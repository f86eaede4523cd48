package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.postgres.Lanes.AppendProperties;
import dev.agentsessions.postgres.event.AppendMetrics;
import dev.agentsessions.postgres.event.AppendQueue;
import dev.agentsessions.postgres.event.AppendStatement;
import dev.agentsessions.postgres.event.BlockedAppends;
import dev.agentsessions.postgres.event.GroupWriter;
import dev.agentsessions.postgres.event.LockedRowsStatement;
import dev.agentsessions.postgres.event.QueuedAppend;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.ReadsLog;

/**
 * A database that does not answer is given up, and what was asked for can be repeated.
 */
@Tag("slow")
@HttpTest
@TestPropertySource(properties = { "spring.jdbc.template.query-timeout=2s",
		"spring.datasource.hikari.data-source-properties.socketTimeout=4" })
@ExtendWith(OutputCaptureExtension.class)
@Import(Stores.class)
class TimeoutTests {

	private static final String EVENT = "{\"id\":\"e1\",\"author\":\"confidential\",\"actions\":{\"stateDelta\":{\"k\":1,\"user:k\":1}}}";

	private final Http http;

	private final Stores store;

	private final JdbcConnectionDetails server;

	private final JdbcTemplate jdbc;

	private final AppendStatement statement;

	private final LockedRowsStatement lockedRows;

	private final Lanes lanes;

	private final AppendProperties properties;

	private final AppendMetrics metrics;

	private final SessionName name;

	private final String path;

	TimeoutTests(Http http, Stores store, JdbcConnectionDetails server, JdbcTemplate jdbc, AppendStatement statement,
			LockedRowsStatement lockedRows, Lanes lanes, AppendProperties properties, AppendMetrics metrics) {
		this.properties = properties;
		this.metrics = metrics;
		this.lockedRows = lockedRows;
		this.http = http;
		this.store = store;
		this.server = server;
		this.jdbc = jdbc;
		this.statement = statement;
		this.lanes = lanes;
		this.name = store.create(Sessions.empty(Sessions.newKey())).name();
		this.path = "/apps/" + this.name.appName() + "/users/" + this.name.userId();
	}

	@Test
	@ReadsLog("dev.agentsessions.web.ErrorResponder")
	void answers503WhileATableIsLockedAndWritesNothing(CapturedOutput output) throws SQLException {
		List<Answer> answers;
		try (Connection other = connect()) {
			other.createStatement().execute("lock table sessions, state");
			answers = atOnce(requests());
		}
		assertThat(answers).allSatisfy((answer) -> {
			assertThat(answer.status()).as(answer.body()).isEqualTo(503);
			assertThat(answer.header("Retry-After")).contains("1");
			assertThat(answer.body()).contains("did not answer in time");
		});
		assertThat(output).contains("Answered 503").doesNotContain("confidential");
		Answer untouched = this.http.get(session()).ok();
		assertThat(untouched.revision()).isEqualTo(0);
		assertThat(untouched.at("/state")).isEmpty();
		assertThat(this.http.get(this.path + "/sessions").ok().json()).hasSize(1);
	}

	/** What each of them asks of the database, it asks in another way. */
	private List<String[]> requests() {
		String engine = "/v1beta1/reasoningEngines/" + this.name.appName() + "/sessions";
		return Stream
			.of("GET " + session(), "POST " + session() + "/events " + EVENT,
					"POST " + session() + "/events:batch {\"events\":[" + EVENT + "]}",
					"POST " + this.path + "/sessions {\"sessionId\":\"s2\",\"events\":[" + EVENT + "]}",
					"PATCH " + session() + " {\"displayName\":\"d\"}", "DELETE " + session(), "DELETE " + this.path,
					"GET " + this.path + "/sessions", "GET " + this.path + "/state",
					"PATCH " + this.path + "/state {\"k\":2}", "GET /list-apps",
					"GET " + engine + "/" + this.name.sessionId(), "GET " + engine + "?filter=user_id=alice",
					"POST " + engine + "/" + this.name.sessionId() + ":appendEvent {\"author\":\"a\"}")
			.map((request) -> request.split(" ", 3))
			.toList();
	}

	@Test
	void storesOnceWhatIsRepeatedAfterTheDatabaseFroze() throws IOException {
		List<Long> backends = this.jdbc
			.queryForList("select pid from pg_stat_activity where backend_type = 'client backend' "
					+ "and datname = current_database() and pid <> pg_backend_pid()", Long.class);
		backends.add(this.jdbc.queryForObject("select pg_backend_pid()", Long.class));
		List<Answer> frozen;
		signal("-STOP", backends);
		try {
			frozen = atOnce(moreThanWriters("POST " + session() + "/events " + EVENT));
		}
		finally {
			signal("-CONT", backends);
		}
		assertThat(frozen)
			.allSatisfy((answer) -> assertThat(answer.problem(503, "UNAVAILABLE").header("Retry-After")).contains("1"));
		Answer repeated = this.http.post(session() + "/events", EVENT, "If-Match", "\"0\"").ok();
		assertThat(repeated.at("/revision").longValue()).isEqualTo(1);
		Answer session = this.http.get(session()).ok();
		assertThat(session.at("/events")).hasSize(1);
		assertThat(session.at("/state")).hasSize(2);
	}

	private List<String[]> moreThanWriters(String append) {
		return Collections.nCopies(this.properties.writers() + 2, append.split(" ", 3));
	}

	@Test
	void refusesAnAppendThatHasWaitedTooLong() throws Exception {
		QueuedAppend late = waiting(this.name, System.nanoTime() - TimeUnit.MINUTES.toNanos(1));
		storeTogether(late);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(late.stored()::join)
			.withCauseInstanceOf(SessionException.Unavailable.class)
			.withMessageContaining("Too many appends are waiting");
		assertThat(this.store.find(this.name, EventWindow.ALL).orElseThrow().revision()).isZero();
	}

	@Test
	void refusesAnAppendToWhichNoWriterComes() {
		AppendQueue queue = new AppendQueue(this.lanes.groups(), Long.MAX_VALUE);
		QueuedAppend early = waiting(this.name, System.nanoTime());
		QueuedAppend late = waiting(this.name, System.nanoTime() - TimeUnit.MINUTES.toNanos(1));
		queue.add(early);
		queue.add(late);
		queue.refuseOverdue();
		assertThat(late.stored()).isCompletedExceptionally();
		assertThat(early.stored()).isNotDone();
		assertThat(queue.bytes()).isEqualTo(early.bytes());
	}

	private static QueuedAppend waiting(SessionName name, long since) {
		QueuedAppend append = new QueuedAppend(name, UUID.randomUUID(), Events.append(Events.id("e1")));
		return new QueuedAppend(append.session(), append.sessionKey(), append.request(), append.changes(),
				new Waiting<>(since));
	}

	private void storeTogether(QueuedAppend append) throws InterruptedException {
		AppendQueue queue = new AppendQueue(this.lanes.groups(), Long.MAX_VALUE);
		queue.add(append);
		new GroupWriter(queue, new BlockedAppends(), 1, this.statement, this.lockedRows, this.lanes, this.metrics)
			.storeNextGroup();
	}

	private List<Answer> atOnce(List<String[]> requests) {
		ExecutorService threads = Executors.newFixedThreadPool(requests.size());
		try {
			List<CompletableFuture<Answer>> answers = new ArrayList<>();
			requests.forEach((request) -> answers.add(CompletableFuture.supplyAsync(() -> send(request), threads)));
			return answers.stream().map(CompletableFuture::join).toList();
		}
		finally {
			threads.shutdown();
		}
	}

	private Answer send(String[] request) {
		return (request.length < 3) ? this.http.send(request[0], request[1], BodyPublishers.noBody()) : this.http
			.send(request[0], request[1], BodyPublishers.ofString(request[2]), "Content-Type", "application/json");
	}

	private String session() {
		return this.path + "/sessions/" + this.name.sessionId();
	}

	/**
	 * A connection of somebody else, with a transaction that is rolled back when it ends.
	 */
	private Connection connect() throws SQLException {
		Connection connection = DriverManager.getConnection(this.server.getJdbcUrl(), this.server.getUsername(),
				this.server.getPassword());
		connection.setAutoCommit(false);
		return connection;
	}

	private static void signal(String signal, List<Long> processes) throws IOException {
		List<String> command = new ArrayList<>(List.of("kill", signal));
		processes.forEach((process) -> command.add(process.toString()));
		new ProcessBuilder(command).inheritIO().start().onExit().join();
	}

}
