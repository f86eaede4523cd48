package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.StatementRecorder.Recorded;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactPrecondition;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Histories;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryPoint.RewindRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.state.StateDelta;

/** No statement per row: what a call costs does not grow with what it finds. */
class StatementCountTests extends PostgresStoreTest {

	private static final LeaseRequest LEASE = new LeaseRequest("a", Duration.ofMinutes(1), null);

	@Autowired
	private HistoryService.Store past;

	@Autowired
	private ArtifactService.Store artifacts;

	@Test
	void listsAPageInTwoStatements() {
		SessionName name = Sessions.newKey();
		for (int number = 0; number < 60; number++) {
			this.store.create(Sessions.with(Sessions.sibling(name, "s" + number), "{\"a\":1,\"user:b\":2}"));
		}
		assertThat(statements(() -> this.store.list(page(name, 50)))).hasSize(2);
		assertThat(statements(() -> this.store.list(page(name, 1)))).hasSize(2);
	}

	@Test
	void listsUsersInOneStatement() {
		SessionName name = newSession();
		for (int number = 0; number < 20; number++) {
			this.store.create(Sessions.empty(Sessions.ofUser(name, "u" + number)));
		}
		assertThat(statements(() -> this.store.users(new UserQuery(name.app(), null, 10)))).hasSize(1);
		assertThat(statements(() -> this.store.users(new UserQuery(name.app(), null, 1)))).hasSize(1);
	}

	@Test
	void readsASessionInOneStatement() {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.with(name, manyKeys("", 50)));
		storeMany(name, 50);
		assertThat(statements(() -> this.store.find(name, EventWindow.ALL))).hasSize(1);
		assertThat(statements(() -> this.store.find(name, EventWindow.NONE))).hasSize(1);
	}

	@Test
	void readsEventsByTheirIdsInOneStatement() {
		SessionName name = newSession();
		storeMany(name, 50);
		List<String> ids = IntStream.rangeClosed(1, 60).mapToObj((number) -> "e" + number).toList();
		assertThat(statements(() -> this.store.events(name, ids).orElseThrow().events().toList())).hasSize(1);
	}

	@Test
	void readsThePastOfASessionInAFixedNumberOfStatements() {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.with(name, manyKeys("", 50)));
		storeMany(name, 50);
		assertThat(statements(() -> this.past.find(name, HistoryPoint.after(40), EventWindow.NONE)))
			.as("session, time, state")
			.hasSize(3);
		assertThat(statements(() -> this.past.find(name, HistoryPoint.after(40), EventWindow.ALL))).as("and events")
			.hasSize(4);
	}

	@Test
	void forksManyEventsInAsManyStatementsAsNone() {
		SessionName name = newSession();
		HistoryService history = Histories.of(this.store, this.past);
		ForkRequest empty = fork(name, "empty");
		int statements = statements(() -> history.fork(empty, EventWindow.NONE)).size();
		storeMany(name, 50);
		store(name, Events.delta(manyKeys("", 50)));
		assertThat(statements(() -> history.fork(fork(name, "full"), EventWindow.NONE))).hasSize(statements + 1);
		assertThat(statements).isEqualTo(17);
	}

	/** A comparison takes time, so no other writer may wait for it. */
	@Test
	void comparesABatchWithStoredEventsBeforeItLocksTheSession() {
		SessionName name = newSession();
		storeMany(name, 2);
		List<NewEvent> conflict = List.of(Events.event("{\"id\":\"e3\"}"),
				Events.event("{\"id\":\"e2\",\"author\":\"another\"}"));
		assertThat(statements(() -> assertThatExceptionOfType(SessionException.EventIdConflict.class)
			.isThrownBy(() -> this.store.appendAll(name, conflict, Precondition.NONE))))
			.noneMatch((sql) -> sql.contains("for no key update"));
	}

	@Test
	void rewindsManyEventsInAsManyStatementsAsOne() {
		assertThat(statementsOfRewind(50)).hasSameSizeAs(statementsOfRewind(1));
	}

	private List<String> statementsOfRewind(int events) {
		SessionName name = newSession();
		storeMany(name, events);
		store(name, Events.event("{\"invocationId\":\"i\",\"actions\":{\"stateDelta\":" + manyKeys("", events) + "}}"));
		HistoryService history = Histories.of(this.store, this.past);
		return statements(() -> history.rewind(name, new RewindRequest("i", null), Precondition.NONE));
	}

	private static ForkRequest fork(SessionName name, String target) {
		return new ForkRequest(name, HistoryPoint.NEWEST, Sessions.sibling(name, target), SessionDetails.NONE,
				Precondition.NONE);
	}

	@Test
	void listsEventsInOneStatement() {
		SessionName name = newSession();
		storeMany(name, 50);
		EventQuery query = EventQuery.of(false, 50);
		assertThat(statements(() -> this.store.events(name, query))).hasSize(1);
	}

	@Test
	void appendsInOneStatement() {
		SessionName name = newSession();
		assertThat(statements(() -> store(name, Events.id("e1")))).hasSize(1);
		assertThat(statements(() -> store(name, Events.delta(manyKeys("", 50))))).hasSize(1);
		assertThat(statements(() -> store(name, Events.delta(manyKeys("user:", 50))))).hasSize(1);
	}

	@Test
	void removesKeysInASecondStatement() {
		SessionName name = newSession();
		assertThat(statements(() -> store(name,
				Events.delta("{\"k1\":" + Events.REMOVED + ",\"app:k1\":" + Events.REMOVED + ",\"k2\":2}"))))
			.hasSize(2);
	}

	@Test
	void appendsALargeEventAlone() {
		SessionName name = newSession();
		assertThat(statements(() -> store(name, large("{\"k1\":1,\"k2\":2,\"temp:k\":3}")))).hasSize(1);
		assertThat(statements(() -> store(name, large("{\"k1\":" + Events.REMOVED + ",\"k2\":2,\"temp:k\":3}"))))
			.hasSize(2);
		assertThat(statements(() -> store(name, large(manyKeys("user:", 50))))).hasSize(1);
		assertThat(statements(
				() -> store(name, large("{\"app:k1\":" + Events.REMOVED + ",\"user:k1\":" + Events.REMOVED + "}"))))
			.hasSize(2);
	}

	@Test
	void appendsManyEventsInOneStatement() {
		SessionName name = newSession();
		assertThat(statements(() -> this.store.appendAll(name, withEvents(50).events(), Precondition.NONE))).hasSize(1);
	}

	@Test
	void appendsWhatIsNewOfABatchInAFixedNumberOfStatements() {
		SessionName name = newSession();
		store(name, Events.id("e1"));
		List<NewEvent> batch = Stream.concat(Stream.of(Events.id("e1")), withEvents(50).events().stream()).toList();
		assertThat(statements(() -> this.store.appendAll(name, batch, Precondition.NONE)))
			.as("attempt, size of stored events, session, stored events, lock, events stored meanwhile, append")
			.hasSize(7);
	}

	@Test
	void appendsUnderALeaseInOneStatement() {
		SessionName name = newSession();
		Precondition lease = Precondition.NONE.under(this.store.acquire(name, LEASE, Precondition.NONE).number());
		assertThat(statements(() -> this.store.append(name, new AppendRequest(Events.id("e1"), lease)))).hasSize(1);
		assertThat(statements(() -> this.store.append(name, new AppendRequest(large("{}"), lease)))).hasSize(1);
		assertThat(statements(() -> this.store.appendAll(name, withEvents(50).events(), lease))).hasSize(1);
	}

	@Test
	void leasesInThreeStatementsAndReleasesInTwo() {
		SessionName name = newSession();
		assertThat(statements(() -> this.store.acquire(name, LEASE, Precondition.NONE))).hasSize(3);
		long number = this.store.acquire(name, LEASE, Precondition.NONE).number();
		assertThat(statements(() -> this.store.acquire(name, LEASE, Precondition.NONE.under(number)))).hasSize(3);
		assertThat(statements(() -> this.store.release(name, number))).hasSize(2);
		assertThat(statements(() -> this.store.release(name, number))).as("nothing to change").hasSize(1);
	}

	@Test
	void savesASmallArtifactInTwoStatements() {
		SessionName name = newSession();
		assertThat(statements(() -> save(name, "a", 1))).as("what there is, bytes and version").hasSize(2);
		assertThat(statements(() -> save(name, "b", 1))).as("equal bytes").hasSize(2);
		assertThat(statements(() -> save(name, "user:c", 1))).as("no session").hasSize(2);
	}

	private void save(SessionName session, String name, int size) {
		NewArtifact file = new NewArtifact(ArtifactKind.BYTES, "image/png", null, null, null);
		try {
			this.artifacts.save(ArtifactName.of(session, name), file, new ByteArrayInputStream(new byte[size]),
					ArtifactPrecondition.NONE, null);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void createsManyEventsInAsManyStatementsAsTwo() {
		assertThat(statements(() -> this.store.create(withEvents(50))))
			.hasSameSizeAs(statements(() -> this.store.create(withEvents(2))));
	}

	@Test
	void deletesManyInitialKeysInPieces() {
		SessionName name = newSession();
		this.jdbc.update("insert into initial_state select ?, 'k' || n, '0' from generate_series(1, 25000) as n",
				StoredKey.of(this.jdbc, name));
		assertThat(statements(() -> this.store.delete(name, Precondition.NONE)))
			.filteredOn((sql) -> sql.contains("delete from initial_state"))
			.hasSize(3);
		assertThat(this.jdbc.queryForObject("select count(*) from initial_state where session_key = ?", Integer.class,
				StoredKey.of(this.jdbc, name)))
			.isZero();
	}

	@Test
	void deletesInTwelveStatements() {
		SessionName name = this.store.create(withEvents(50)).name();
		store(name, Events.delta(manyKeys("", 50)));
		assertThat(statements(() -> this.store.delete(name, Precondition.NONE))).hasSize(12);
	}

	@Test
	void readsAndChangesSharedStateInAFixedNumberOfStatements() {
		SessionName name = Sessions.newKey();
		assertThat(statements(() -> this.store.changeState(name.app(), Sessions.state(manyKeys("", 50))))).hasSize(2);
		assertThat(statements(() -> this.store.state(name.app()))).as("size, then values").hasSize(2);
	}

	/** The clock of this machine may be another one. */
	@Test
	void knowsFromTheDatabaseWhatHasExpired() {
		SessionName session = newSession();
		SessionDetails name = new SessionDetails("Holiday", null);
		List<Runnable> actions = List.of(() -> this.store.find(session, EventWindow.ALL),
				() -> this.store.event(session, "none"), () -> this.store.users(new UserQuery(session.app(), null, 10)),
				() -> this.store.locate(session.appName(), session.sessionId()),
				() -> this.store.updateDetails(session, name, Precondition.NONE), () -> store(session, Events.id("e1")),
				() -> this.store.appendAll(session, List.of(Events.id("e1")), Precondition.NONE));
		assertThat(actions).allSatisfy(
				(action) -> assertThat(statements(action)).filteredOn((sql) -> sql.contains("expire_time is null"))
					.isNotEmpty()
					.allMatch((sql) -> sql.contains("statement_timestamp()")));
	}

	@Test
	void knowsFromTheDatabaseWhatLeasesHaveEnded() {
		SessionName name = newSession();
		Precondition lease = Precondition.NONE.under(this.store.acquire(name, LEASE, Precondition.NONE).number());
		List<Runnable> appends = List.of(() -> this.store.append(name, new AppendRequest(Events.id("e1"), lease)),
				() -> this.store.append(name, new AppendRequest(large("{}"), lease)),
				() -> this.store.appendAll(name, withEvents(2).events(), lease));
		assertThat(appends).allSatisfy((append) -> assertThat(statements(append).get(0))
			.contains("lease_end > statement_timestamp()", "lease_end <= statement_timestamp()"));
		assertThat(statements(() -> this.store.acquire(name, LEASE, lease)).get(1))
			.isEqualTo("select statement_timestamp()");
	}

	private static List<String> statements(Runnable action) {
		return StatementRecorder.record(action)
			.stream()
			.filter((statement) -> !statement.isControl())
			.map(Recorded::sql)
			.toList();
	}

	private static NewEvent large(String stateDelta) {
		return Events
			.event("{\"filler\":\"%s\",\"actions\":{\"stateDelta\":%s}}".formatted("x".repeat(100_000), stateDelta));
	}

	private static String manyKeys(String prefix, int count) {
		return IntStream.range(0, count)
			.mapToObj((number) -> "\"%sk%d\":%d".formatted(prefix, number, number))
			.collect(Collectors.joining(",", "{", "}"));
	}

	private static CreateSession withEvents(int count) {
		return new CreateSession(Sessions.newKey(), StateDelta.EMPTY,
				Stream.generate(() -> Events.delta("{\"a\":1}")).limit(count).toList(), SessionDetails.NONE);
	}

	private static SessionQuery page(SessionName name, int limit) {
		return SessionQuery.of(name.user(), Order.USER, false, limit, new Filter(null, Map.of(), true), true);
	}

}
