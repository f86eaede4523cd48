package dev.agentsessions.postgres.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.test.context.ContextConfiguration;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.servers.MoveCommand.Result;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Names;

/** What else happens between two steps of a move. */
@HttpTest
@ContextConfiguration(initializers = SecondDatabase.class)
class MoveRacesTests {

	private final Http http;

	private final DriverManagerDataSource main;

	private final JdbcTemplate jdbc;

	private final JdbcTemplate jdbcOfB;

	private final MoveCommand command;

	private final SessionReads reads;

	private final Runnable dailyLook;

	MoveRacesTests(Http http, Environment environment, SessionReads reads,
			@Qualifier("ownerlessRows") Runnable dailyLook) {
		this.http = http;
		this.main = SecondDatabase.dataSource(environment, "spring.datasource.");
		DriverManagerDataSource b = SecondDatabase.dataSource(environment, "agent-sessions.servers.b.");
		this.jdbc = new JdbcTemplate(this.main);
		this.jdbcOfB = new JdbcTemplate(b);
		this.command = new MoveCommand(this.main, b);
		this.reads = reads;
		this.dailyLook = dailyLook;
	}

	private void createWithEvent(String session) {
		this.http.post(session, "{\"events\":[{\"author\":\"a\"}]}").ok();
	}

	private int eventsOf(String session) {
		return this.http.get(session).ok().json().at("/events").size();
	}

	/** The look takes the moved session for gone, and the session comes back. */
	@Test
	void aSessionThatTheDailyLookMissesKeepsItsEvents() throws SQLException {
		String session = Names.sessionIn("looked", 200);
		createWithEvent(session);
		UUID key = this.jdbc.queryForObject("select session_key from sessions where app_name = 'looked'", UUID.class);
		CompletableFuture<Result> move;
		try (Connection rows = this.main.getConnection(); Connection keys = this.main.getConnection()) {
			rows.setAutoCommit(false);
			keys.setAutoCommit(false);
			rows.createStatement().execute("lock table artifact_chunks in share mode");
			move = Concurrently.start(() -> this.command.run("200", "b"));
			awaitLock("artifact_chunks", 1);
			JdbcTemplate other = new JdbcTemplate(new SingleConnectionDataSource(keys, true));
			CompletableFuture<Void> locked = Concurrently
				.start(() -> other.execute("lock table keys_to_sweep in access exclusive mode"));
			awaitLock("keys_to_sweep", 1);
			CompletableFuture<Void> look = Concurrently.start(this.dailyLook);
			awaitLock("keys_to_sweep", 2);
			rows.commit();
			locked.join();
			keys.commit();
			look.join();
			assertThat(move.join().err()).isEmpty();
		}
		assertThat(this.jdbc.queryForList("select session_key from keys_to_sweep", UUID.class)).contains(key);
		assertThat(this.command.run("200", "main").err()).isEmpty();
		// The key of the user that the look does not know is in this bucket
		assertThat(this.command.run("0", "b").err()).isEmpty();
		assertThat(eventsOf(session)).isEqualTo(1);
		assertThat(this.command.run("0", "main").err()).isEmpty();
		assertThat(eventsOf(session)).isEqualTo(1);
		assertThat(this.http.delete(session).status()).isEqualTo(204);
	}

	private void awaitLock(String table, int count) {
		await().until(() -> this.jdbc.queryForObject(
				"select count(*) from pg_locks where not granted and relation = cast(? as regclass)", Integer.class,
				table) >= count);
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(2, TimeUnit.MINUTES);
	}

	/** A server that was restored forgets the replicas, and gives their numbers again. */
	@Test
	void aReplicaDoesNotTakeTheRowOfAnotherForItsOwn() {
		try {
			this.jdbc.execute("""
					begin;
					create temporary table earlier on commit drop as select id from replicas;
					delete from replicas;
					insert into replicas (id, host, servers) overriding system value
					  select id, 'another', '{main,b}' from earlier;
					commit""");
			await().until(() -> this.jdbc.queryForObject("select count(*) from replicas where host <> 'another'",
					Integer.class) == 1);
		}
		finally {
			this.jdbc.update("delete from replicas where host = 'another'");
		}
	}

	/** As a server that was restored from a backup. */
	@Test
	void aServerThatIsBehindBringsNoOldStateOfAnApp() {
		String app = Names.appIn(131);
		this.http.patch("/apps/" + app + "/state", "{\"k\":\"old\"}").ok();
		createWithEvent(Names.sessionIn(app, 131));
		assertThat(this.command.run("131", "b").err()).isEmpty();
		this.http.patch("/apps/" + app + "/state", "{\"k\":\"new\"}").ok();
		this.jdbcOfB.update("update state set value = '\"old\"' where scope_key = ? and key = 'k'",
				ScopeKey.ofApp(app));
		assertThat(this.command.run("131", "main").err()).isEmpty();
		assertThat(this.http.get("/apps/" + app + "/state").json().at("/k").stringValue()).isEqualTo("new");
	}

	/** The creation waits for its lock while the bucket of the other user is moved. */
	@Test
	void anIdIsTakenOnceWhileItsUserMoves() throws SQLException {
		String app = "123456";
		String owner = Names.userIn(110, app, "u");
		String other = Names.userIn(112, app, "u");
		assertThat(createLocatable(app, owner)).isEqualTo(200);
		long lock = ScopeKey.numberOfId(new SessionName(app, other, "same")) ^ -1;
		CompletableFuture<Integer> second;
		try (Connection connection = this.main.getConnection()) {
			connection.createStatement().execute("select pg_advisory_lock(" + lock + ")");
			second = Concurrently.start(() -> createLocatable(app, other));
			await().until(() -> this.jdbc.queryForObject(
					"select count(*) from pg_locks where not granted and locktype = 'advisory'", Integer.class) > 0);
			assertThat(this.command.run("110", "b").err()).isEmpty();
		}
		assertThat(second.join()).isEqualTo(409);
	}

	private int createLocatable(String app, String user) {
		return this.http
			.post("/v1beta1/projects/p/locations/l/reasoningEngines/" + app + "/sessions?sessionId=same",
					"{\"userId\":\"" + user + "\"}")
			.status();
	}

	@Test
	void anErasureCountsNothingThatAMoveHasLeft() {
		String session = Names.sessionIn("erased", 100);
		createWithEvent(session);
		this.jdbc.execute("create function broken() returns trigger language plpgsql as $$begin raise 'broken'; end$$");
		this.jdbc.execute("create trigger broken before delete on sessions for each row execute function broken()");
		assertThat(this.command.run("100", "b").err()).contains("broken");
		this.jdbc.execute("drop function broken() cascade");
		assertThat(this.http.delete(session.replaceAll("/sessions/.*", "")).ok().json().at("/sessions").asInt())
			.isEqualTo(1);
		assertThat(this.jdbc.queryForObject("select count(*) from sessions where app_name = 'erased'", Integer.class))
			.isZero();
	}

	/** Their session is not taken for one that was deleted. */
	@Test
	void eventsThatAreBeingReadByIdAreCutOffIfTheirUserMoves() {
		String session = Names.sessionIn("selected", 120);
		this.http.post(session, "{}").ok();
		List<String> ids = IntStream.range(0, 12).mapToObj((event) -> "e" + event).toList();
		ids.forEach((id) -> this.http
			.post(session + "/events",
					"{\"id\":\"%s\",\"author\":\"a\",\"filler\":\"%s\"}".formatted(id, "x".repeat(400_000)))
			.ok());
		SessionName name = new SessionName("selected", session.split("/")[4], "s120");
		Iterator<Event> events = this.reads.events(name, ids).orElseThrow().events().iterator();
		events.next();
		assertThat(this.command.run("120", "b").err()).isEmpty();
		assertThatExceptionOfType(SessionException.Unavailable.class)
			.isThrownBy(() -> events.forEachRemaining((event) -> {
			}));
	}

	@Test
	void saysThatADumpIsInTheWay() throws SQLException {
		try (Connection dump = this.main.getConnection()) {
			dump.setAutoCommit(false);
			dump.createStatement().execute("select * from buckets");
			assertThat(this.command.run("140", "b").err()).contains("perhaps a dump of the main server");
		}
	}

}
