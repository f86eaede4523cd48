package dev.agentsessions.postgres.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.Deadlocks;
import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;

/** Nobody locks rows in an order in which two could wait for each other. */
class LockOrderTests extends PostgresStoreTest {

	@Autowired
	private AppendStatement group;

	@Autowired
	private DataSource dataSource;

	@Autowired
	private JdbcConnectionDetails database;

	private final SessionName name = Sessions.newKey();

	/** Other contexts use the same PostgreSQL. */
	@AfterEach
	void resetTimeout() {
		this.jdbc.execute("alter system reset deadlock_timeout");
		this.jdbc.execute("select pg_reload_conf()");
	}

	/**
	 * Whoever comes first waits for the first row, in one order, while the other one
	 * takes what comes before it in the other order.
	 */
	@Test
	void groupOfAppendsAndErasureLockSessionsInTheSameOrder() throws Exception {
		List<SessionName> keys = IntStream.range(0, 20).mapToObj((n) -> Sessions.sibling(this.name, "s" + n)).toList();
		keys.forEach((session) -> this.store.create(Sessions.empty(session)));
		List<QueuedAppend> appends = keys.stream()
			.map((session) -> new QueuedAppend(session, StoredKey.of(this.jdbc, session),
					new AppendRequest(Events.id("e1"), Events.append(Events.id("e1")).precondition())))
			.toList();
		UUID firstForJava = keys.stream()
			.map((session) -> StoredKey.of(this.jdbc, session))
			.sorted()
			.findFirst()
			.orElseThrow();

		assertNoDeadlock("select from sessions where session_key = '" + firstForJava + "' for update",
				() -> untilStored(appends), () -> this.store.erase(this.name.user()));
	}

	@Test
	void changeAndErasureLockStateOfAUserInTheSameOrder() throws Exception {
		this.store.create(Sessions.with(this.name, "{\"user:a\":1}"));
		this.store.changeState(this.name.user(), Sessions.state("{\"b\":1,\"B\":1,\"c\":1}"));
		this.store.changeState(this.name.user(), Sessions.state("{\"A\":1}"));
		for (String first : List.of("a", "A", "b", "B", "c")) {
			this.store.changeState(this.name.user(), Sessions.state("{\"a\":1,\"A\":1,\"b\":1,\"B\":1,\"c\":1}"));
			String lock = "select from state where scope_key = '%s' and key = '%s' for update"
				.formatted(ScopeKey.of(this.name.user()), first);
			assertNoDeadlock(lock,
					() -> this.store.changeState(this.name.user(),
							Sessions.state("{\"c\":2,\"b\":2,\"a\":2,\"B\":2,\"A\":2}")),
					() -> this.store.erase(this.name.user()));
		}
	}

	/** As the column does, even if the database orders texts as people do. */
	@ParameterizedTest
	@ValueSource(strings = { "{\"author\":\"a\"}", "{\"author\":\"a\",\"filler\":\"%s\"}" })
	void appendsLockStateInTheOrderOfBytes(String event) {
		this.store.create(Sessions.empty(this.name));
		NewEvent changes = Events.event(event.formatted("x".repeat(70_000))
			.replaceFirst("}$", ",\"actions\":{\"stateDelta\":{\"b\":1,\"A\":1,\"app:a\":1,\"app:B\":1}}}"));
		assertOrdersByBytes(() -> this.store.append(this.name, Events.append(changes)));
	}

	@Test
	void changesLockStateInTheOrderOfBytes() {
		assertOrdersByBytes(() -> this.store.changeState(this.name.user(), Sessions.state("{\"b\":1,\"A\":1}")));
	}

	private void assertOrdersByBytes(Runnable action) {
		List<String> plans = new QueryPlans(this.jdbc, this.database).of(action)
			.stream()
			.map((ofOne) -> ofOne.get(0))
			.filter((plan) -> plan.contains("Insert on state"))
			.toList();
		assertThat(plans).isNotEmpty()
			.allSatisfy((plan) -> assertThat(plan).containsPattern("Sort Key: .*change\\.key.* COLLATE \"C\""));
	}

	private void assertNoDeadlock(String lock, Runnable one, Runnable other) throws Exception {
		// A deadlock has to be found before its writers give up their rows.
		this.jdbc.execute("alter system set deadlock_timeout = '10ms'");
		this.jdbc.execute("select pg_reload_conf()");
		long deadlocks = Deadlocks.count(this.jdbc);
		CompletableFuture<?> both;
		try (Connection holder = this.dataSource.getConnection()) {
			holder.setAutoCommit(false);
			holder.createStatement().execute(lock);
			CompletableFuture<?> first = start(one, 1);
			both = CompletableFuture.allOf(first, start(other, 2));
			holder.rollback();
			holder.setAutoCommit(true);
		}
		both.get(30, TimeUnit.SECONDS);
		assertThat(Deadlocks.count(this.jdbc)).isEqualTo(deadlocks);
	}

	/**
	 * Writers give up a row after a moment and try again, so they are not always waiting.
	 */
	private CompletableFuture<?> start(Runnable action, int waiting) throws SQLException {
		CompletableFuture<?> running = Concurrently.start(action);
		Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> waiting() == waiting);
		return running;
	}

	private void untilStored(List<QueuedAppend> appends) {
		try {
			this.group.executeAlone(appends);
		}
		catch (RowLockedException ex) {
			untilStored(appends);
		}
	}

	private long waiting() {
		return this.jdbc.queryForObject(
				"select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
				Long.class);
	}

}
