package dev.agentsessions.postgres.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.context.ContextConfiguration;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.servers.Buckets.Call;
import dev.agentsessions.postgres.servers.MoveCommand.Result;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Names;

/** Buckets are moved while users of these and other buckets read and write. */
@HttpTest
@ContextConfiguration(initializers = SecondDatabase.class)
class OnlineMoveTests {

	private static final int FIRST = 40;

	private static final int LAST = 45;

	private final Http http;

	private final DriverManagerDataSource main;

	private final DriverManagerDataSource b;

	private final MoveCommand command;

	private final Buckets buckets;

	private final SessionReads reads;

	OnlineMoveTests(Http http, Environment environment, Buckets buckets, SessionReads reads) {
		this.reads = reads;
		this.http = http;
		this.buckets = buckets;
		this.main = SecondDatabase.dataSource(environment, "spring.datasource.");
		this.b = SecondDatabase.dataSource(environment, "agent-sessions.servers.b.");
		this.command = new MoveCommand(this.main, this.b);
	}

	@Test
	void everyRequestIsAnsweredAsIfNothingMoved() {
		List<String> sessions = IntStream.rangeClosed(FIRST - 1, LAST + 1)
			.mapToObj((bucket) -> Names.sessionIn("busy", bucket))
			.toList();
		sessions.forEach((session) -> this.http.post(session, "{}").ok());
		AtomicBoolean moving = new AtomicBoolean(true);
		List<CompletableFuture<Integer>> writers = sessions.stream()
			.map((session) -> CompletableFuture.supplyAsync(() -> appendWhile(moving, session)))
			.toList();
		CompletableFuture<Integer> lists = CompletableFuture.supplyAsync(() -> listWhile(moving, sessions.size()));
		CompletableFuture<Integer> changes = CompletableFuture.supplyAsync(() -> changeAppWhile(moving));
		try {
			for (String to : List.of("b", "main", "b")) {
				Result result = this.command.run(FIRST + "-" + LAST, to);
				assertThat(result.err()).isEmpty();
				assertThat(result.out()).contains("Bucket " + LAST + " is on " + to);
			}
		}
		finally {
			moving.set(false);
		}
		for (int i = 0; i < sessions.size(); i++) {
			int appended = writers.get(i).join();
			assertThat(appended).isPositive();
			assertThat(this.http.get(sessions.get(i)).ok().json().at("/events").size()).isEqualTo(appended);
		}
		assertThat(lists.join()).isPositive();
		int value = changes.join();
		assertThat(value).isPositive();
		assertThat(Stream.of(this.main, this.b)
			.map((server) -> new JdbcTemplate(server).queryForList(
					"select value from state where scope_key = ? and key = 'n'", String.class, ScopeKey.ofApp("busy"))))
			.containsOnly(List.of(String.valueOf(value)));
		assertThat(rowsOf(this.main)).isZero();
		assertThat(rowsOf(this.b)).isEqualTo(LAST - FIRST + 1);
	}

	private static int rowsOf(DriverManagerDataSource server) {
		return new JdbcTemplate(server).queryForObject(
				"""
						select count(*) from sessions where app_name = 'busy' and get_byte(uuid_send(user_key), 0) between ? and ?
						""",
				Integer.class, FIRST, LAST);
	}

	/** Appends with the revision that it has read, so that a missed event is refused. */
	private int appendWhile(AtomicBoolean moving, String session) {
		int revision = 0;
		while (moving.get()) {
			String etag = this.http.get(session).ok().header("ETag").orElseThrow();
			this.http.post(session + "/events", "{\"author\":\"a\"}", "If-Match", etag).ok();
			revision++;
			assertThat(this.http.get(session).ok().json().at("/events").size()).isEqualTo(revision);
		}
		return revision;
	}

	private int listWhile(AtomicBoolean moving, int sessions) {
		int lists = 0;
		while (moving.get()) {
			for (String path : List.of("/apps/busy/sessions", "/apps/busy/sessions?order=desc")) {
				assertThat(sessionsIn(path)).hasSize(sessions).doesNotHaveDuplicates();
			}
			lists++;
		}
		return lists;
	}

	private int changeAppWhile(AtomicBoolean moving) {
		int value = 0;
		while (moving.get()) {
			value++;
			this.http.patch("/apps/busy/state", "{\"n\":" + value + "}").ok();
		}
		return value;
	}

	/** It cannot know whether a replica that says nothing was killed. */
	@Test
	void asksAboutAReplicaThatSaysNothing() {
		JdbcTemplate jdbc = new JdbcTemplate(this.main);
		Long id = jdbc.queryForObject("insert into replicas (host, servers) values ('killed', '{main,b}') returning id",
				Long.class);
		Result refused = this.command.run("50", "b");
		assertThat(refused.exitCode()).isEqualTo(1);
		assertThat(refused.err()).contains("Replicas that did not stop bucket 50 in time: " + id + " (killed, since ",
				"--without=");
		assertThat(this.command.run("50", "b", "--without=" + id).out()).contains("Bucket 50 is on b instead of main");
		assertThat(this.command.run("50", "b", "--without=" + id).err()).contains("There is no replica " + id);
		assertThat(this.command.run("50", "b", "--without=x").err()).contains("'x' are no numbers of replicas");
	}

	@Test
	void refusesAServerThatAReplicaDoesNotKnow() {
		JdbcTemplate jdbc = new JdbcTemplate(this.main);
		Long id = jdbc.queryForObject("insert into replicas (host, servers) values ('killed', '{main}') returning id",
				Long.class);
		assertThat(this.command.run("52", "b", "--without=" + 0).err()).contains("There is no replica 0");
		assertThat(this.command.run("52", "b").err()).contains("Replicas whose settings have no server 'b': " + id);
		jdbc.update("delete from replicas where id = ?", id);
	}

	/** What a replica has said about an earlier step says nothing about a later one. */
	@Test
	void aReplicaSaysWhatItHasSeenOfEachStepAnew() throws SQLException {
		UUID user = new UUID(70L << 56, 0);
		Call call = this.buckets.begin(user);
		try (Connection command = this.main.getConnection()) {
			lock(command, 7001);
			Awaitility.await().during(1, TimeUnit.SECONDS).until(() -> seen() != 7001);
			call.end();
			Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> seen() == 7001);
		}
		this.buckets.begin(user).end();
		Call later = this.buckets.begin(user);
		try (Connection command = this.main.getConnection()) {
			lock(command, 7002);
			Awaitility.await().during(1, TimeUnit.SECONDS).until(() -> seen() == 7001);
			later.end();
			Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> seen() == 7002);
		}
	}

	private static void lock(Connection command, int step) throws SQLException {
		try (Statement statement = command.createStatement()) {
			statement.execute("select pg_advisory_lock(%d, 70), pg_advisory_lock(%d, %d)".formatted(Buckets.LOCK,
					Buckets.STEP_LOCK, step));
		}
	}

	private int seen() {
		return new JdbcTemplate(this.main).queryForObject("select seen from replicas where host <> 'killed'",
				Integer.class);
	}

	/** The rest of a history is not taken for a session that was deleted. */
	@Test
	void aHistoryThatIsBeingReadIsCutOffIfItsUserMoves() {
		SessionName name = new SessionName("cut", Names.sessionIn("cut", 72).split("/")[4], "s72");
		this.http.post(Names.sessionIn("cut", 72), "{}").ok();
		String large = "{\"author\":\"a\",\"filler\":\"" + "x".repeat(400_000) + "\"}";
		IntStream.range(0, 12).forEach((event) -> this.http.post(Names.sessionIn("cut", 72) + "/events", large).ok());
		Iterator<Event> events = this.reads.find(name, EventWindow.ALL).orElseThrow().events().iterator();
		events.next();
		assertThat(this.command.run("72", "b").err()).isEmpty();
		assertThatExceptionOfType(SessionException.Unavailable.class)
			.isThrownBy(() -> events.forEachRemaining((event) -> {
			}));
		assertThat(this.reads.find(name, EventWindow.ALL).orElseThrow().events().toList()).hasSize(12);
	}

	/** A command took it for one that has ended. */
	@Test
	void aReplicaThatRunsSaysSoAgain() {
		JdbcTemplate jdbc = new JdbcTemplate(this.main);
		jdbc.update("delete from replicas");
		Awaitility.await()
			.atMost(2, TimeUnit.MINUTES)
			.until(() -> jdbc.queryForList("select id from replicas", Long.class).size() == 1);
	}

	/** The old server has rows of users that it does not have any more. */
	@Test
	void listsCountRowsThatAMoveHasLeftOnce() {
		String session = Names.sessionIn("left", 60);
		this.http.post(session, "{\"events\":[{\"author\":\"a\",\"errorCode\":\"X\"}]}").ok();
		JdbcTemplate jdbc = new JdbcTemplate(this.main);
		jdbc.execute("create function broken() returns trigger language plpgsql as $$begin raise 'broken'; end$$");
		jdbc.execute("create trigger broken before delete on sessions for each row execute function broken()");
		Result result = this.command.run("60", "b");
		assertThat(result.err()).contains("The move has failed: ERROR: broken", "Repeat the command.");
		assertThat(sessionsIn("/apps/left/sessions")).hasSize(1);
		assertThat(sessionsIn("/apps/left/sessions?error=true")).hasSize(1);
		assertThat(this.http.get("/apps/left/users").ok().json().at("/users").size()).isEqualTo(1);
		assertThat(this.http.get("/apps/left/usage").ok().json().at("/usage/events").asInt()).isEqualTo(1);
		assertThat(sessionsIn("/apps/left/sessions?limit=1")).hasSize(1);
		assertThat(this.http.delete(session).status()).isEqualTo(204);
		assertThat(sessionsIn("/apps/left/sessions?limit=1")).isEmpty();
		assertThat(this.command.run("61", "main").err()).isEmpty();
		jdbc.execute("drop trigger broken on sessions");
		assertThat(this.command.run("60", "b").out()).contains("No other server has rows of it now.");
	}

	private List<String> sessionsIn(String path) {
		List<String> ids = new ArrayList<>();
		this.http.get(path).ok().json().forEach((session) -> ids.add(session.at("/id").asString()));
		return ids;
	}

}
