package dev.agentsessions.postgres.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.state.StateDelta;

/** The state of an app on two servers, while writers, the copies and a server stop. */
@PostgresTest
@ContextConfiguration(initializers = SecondDatabase.class)
class AppStateCopiesTests {

	private static final int WRITERS = 8;

	private final Servers servers;

	private final Buckets buckets;

	private final AppStateCopies copies;

	private final SessionService.Store sessions;

	private final EventService.Store events;

	private final SessionReads reads;

	private final JdbcTemplate jdbc;

	private final StateOwner app = new StateOwner("app-" + UUID.randomUUID(), null);

	private SessionName onMain;

	private SessionName onB;

	AppStateCopiesTests(Servers servers, Buckets buckets, AppStateCopies copies, SessionService.Store sessions,
			EventService.Store events, SessionReads reads, JdbcTemplate jdbc) {
		this.servers = servers;
		this.buckets = buckets;
		this.copies = copies;
		this.sessions = sessions;
		this.events = events;
		this.reads = reads;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void createSessions() {
		this.onMain = create(this.servers.main());
		this.onB = create(this.servers.named("b"));
	}

	private SessionName create(Server server) {
		SessionName name = IntStream.iterate(0, (number) -> number + 1)
			.mapToObj((number) -> new SessionName(this.app.appName(), "user-" + number, "s"))
			.filter((session) -> this.buckets.of(session.user()) == server)
			.findFirst()
			.orElseThrow();
		this.sessions.create(new CreateSession(name, StateDelta.EMPTY, List.of(), SessionDetails.NONE));
		return name;
	}

	@AfterEach
	void allowWrites() {
		setReadOnly("b", false);
	}

	@Test
	void isReadOnAllServersAfterEachChange() {
		set(this.onMain, "theme", "\"dark\"");
		assertThat(themes()).containsOnly(new JsonText("\"dark\""));
		set(this.onB, "theme", "null");
		assertThat(themes()).containsOnly(JsonText.NULL);
		set(this.onB, "theme", "\"__ADK_SENTINEL_REMOVED__\"");
		assertThat(themes()).isEmpty();
		this.sessions.changeState(this.app, Map.of("theme", new JsonText("1")));
		assertThat(themes()).containsExactly(new JsonText("1"), new JsonText("1"));
		assertThat(openChanges()).isZero();
	}

	@Test
	void isTheSameOnAllServersAfterManyWriters() {
		CompletableFuture
			.allOf(IntStream.range(0, WRITERS)
				.mapToObj((writer) -> CompletableFuture.runAsync(() -> IntStream.range(0, 10)
					.forEach((number) -> set((writer % 2 == 0) ? this.onMain : this.onB, "k" + number % 3,
							Integer.toString(100 * writer + number)))))
				.toArray(CompletableFuture[]::new))
			.join();
		assertThat(state(this.servers.main())).hasSize(3).isEqualTo(state(this.servers.named("b")));
		assertThat(openChanges()).isZero();
	}

	@Test
	void isCopiedLaterToAServerThatRefusesIt() {
		set(this.onMain, "theme", "1");
		setReadOnly("b", true);
		set(this.onMain, "theme", "2");
		assertThat(themes()).containsExactly(new JsonText("2"), new JsonText("1"));
		set(this.onMain, "theme", "3");
		setReadOnly("b", false);
		this.copies.run();
		assertThat(themes()).containsExactly(new JsonText("3"), new JsonText("3"));
		this.copies.run();
		assertThat(state(this.servers.named("b"))).isEqualTo(state(this.servers.main()));
	}

	/**
	 * It may be too large there for a while, because keys are copied in another order.
	 */
	@Test
	void isCopiedWhateverItsSizeOnTheOtherServer() {
		this.servers.all()
			.forEach((server) -> server.store(SessionService.Store.class)
				.changeState(this.app, Map.of("old", text(12_000_000))));
		setReadOnly("b", true);
		set(this.onMain, "old", "\"__ADK_SENTINEL_REMOVED__\"");
		IntStream.range(0, 8).forEach((number) -> set(this.onMain, "k" + number, text(900_000).text()));
		set(this.onMain, "old", "1");
		setReadOnly("b", false);
		this.copies.run();
		assertThat(state(this.servers.named("b"))).isEqualTo(state(this.servers.main()));
		set(this.onB, "theme", "1");
	}

	private static JsonText text(int length) {
		return new JsonText("\"" + "x".repeat(length) + "\"");
	}

	@Test
	void isChangedAfterTheSettingsLostAServerThatLacksAChange() {
		this.jdbc.update("insert into app_state_changes (app_name, source, keys, missing) values (?, 'main', ?, ?)",
				this.app.appName(), new String[] { "theme" }, new String[] { "gone" });
		set(this.onB, "theme", "1");
		this.copies.run();
		assertThat(themes()).containsExactly(new JsonText("1"), new JsonText("1"));
	}

	/** Otherwise the older value would be copied over the newer one. */
	@Test
	void isNotChangedOnAServerThatLacksAnEarlierChange() {
		setReadOnly("b", true);
		set(this.onMain, "theme", "1");
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> set(this.onB, "theme", "2"));
		setReadOnly("b", false);
		set(this.onB, "theme", "3");
		this.copies.run();
		assertThat(themes()).containsExactly(new JsonText("3"), new JsonText("3"));
	}

	/** A writer whose answer was lost may have stored its change. */
	@Test
	void isCopiedAfterAWriterThatGotNoAnswer() {
		assertThatExceptionOfType(SessionException.Unavailable.class)
			.isThrownBy(() -> this.copies.changing(this.app, List.of("theme"), this.servers.named("b"), () -> {
				this.servers.named("b")
					.store(SessionService.Store.class)
					.changeState(this.app, Map.of("theme", new JsonText("1")));
				throw new SessionException.Unavailable("No answer");
			}));
		assertThat(themes()).containsExactly(new JsonText("1"));
		this.copies.run();
		assertThat(themes()).containsExactly(new JsonText("1"), new JsonText("1"));
		assertThat(openChanges()).isEqualTo(1);
		set(this.onMain, "theme", "2");
		this.copies.run();
		assertThat(themes()).containsExactly(new JsonText("2"), new JsonText("2"));
		this.jdbc.update("update app_state_changes set since = since - interval '3 minutes'");
		this.copies.run();
		assertThat(openChanges()).isZero();
	}

	@Test
	void isNotMarkedAsOpenByAChangeThatIsRefused() {
		NewEvent event = event("theme", "1");
		assertThatExceptionOfType(SessionException.Stale.class)
			.isThrownBy(() -> this.events.append(this.onB, new AppendRequest(event, new Precondition(7L, null))));
		assertThat(openChanges()).isZero();
	}

	private void set(SessionName session, String key, String json) {
		this.events.append(session, new AppendRequest(event(key, json), Precondition.NONE));
	}

	private static NewEvent event(String key, String json) {
		return NewEvent.ofStateDelta(JsonObject.parse("{\"app:" + key + "\": " + json + "}"));
	}

	private List<JsonText> themes() {
		return Stream.of(this.onMain, this.onB)
			.map((session) -> this.reads.find(session, EventWindow.NONE).orElseThrow().state())
			.filter((state) -> state.containsKey("app:theme"))
			.map((state) -> state.get("app:theme"))
			.toList();
	}

	private Map<String, JsonText> state(Server server) {
		return server.store(SessionService.Store.class).state(this.app);
	}

	private int openChanges() {
		return this.jdbc.queryForObject("select count(*) from app_state_changes where app_name = ?", Integer.class,
				this.app.appName());
	}

	/** Makes the state of a server refuse writes, as a server that is read-only does. */
	private void setReadOnly(String server, boolean readOnly) {
		JdbcTemplate direct = this.servers.named(server).store(JdbcTemplate.class);
		direct.execute("drop trigger if exists refuse on state");
		if (readOnly) {
			direct.execute("create or replace function refuse() returns trigger language plpgsql as "
					+ "$$ begin raise exception 'read-only' using errcode = '25006'; end $$");
			direct.execute(
					"create trigger refuse before insert or update or delete on state " + "execute function refuse()");
		}
	}

}
