package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.postgres.lifecycle.KeySweeper;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.StoreUnderTest;
import dev.agentsessions.support.LogsErrors;

/** Removing sessions whose events do not go in one transaction. */
class LargeSessionTests extends PostgresStoreTest {

	private static final int EVENTS = 10_000;

	private static final String WAITS = "datname = current_database() and wait_event_type = 'Lock'";

	@Autowired
	private KeySweeper sweeper;

	@Autowired
	private DataSource dataSource;

	private final SessionName name = Sessions.newKey();

	@BeforeEach
	void create() {
		this.store.create(Sessions.with(this.name, "{\"a\":1,\"user:b\":2}"));
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select ?, n, 'e' || n, now(), now(), 'agent', 'i', 2, '{}' from generate_series(1, ?) as n
				""", StoredKey.of(this.jdbc, this.name), EVENTS);
		this.jdbc.update("update sessions set revision = ? where session_key = ?", EVENTS,
				StoredKey.of(this.jdbc, this.name));
	}

	@Test
	void nobodyFindsOrWaitsForASessionThatIsBeingDeleted() throws Exception {
		whileDeletionIsStuck(() -> {
			assertThat(this.store.find(this.name, EventWindow.ALL)).isEmpty();
			assertThat(this.store.locate(this.name.appName(), this.name.sessionId())).isEmpty();
			CompletableFuture<Object> append = Concurrently.start(
					() -> StoreUnderTest.outcome(() -> this.store.append(this.name, Events.append(Events.id("late")))));
			assertThat(append).succeedsWithin(Duration.ofSeconds(5)).isInstanceOf(SessionException.NotFound.class);
		});
		assertNothingIsLeft();
	}

	@Test
	void anErasureDoesNotHoldAllOfAUserEither() throws Exception {
		whileStuck(() -> this.store.erase(this.name.user()),
				() -> assertThat(this.store.find(this.name, EventWindow.ALL)).isEmpty());
		assertNothingIsLeft();
		assertThat(this.store.state(this.name.user())).isEmpty();
	}

	@Test
	void aNameIsFreeAtOnce() throws Exception {
		UUID former = StoredKey.of(this.jdbc, this.name);
		whileDeletionIsStuck(() -> {
			CompletableFuture<Session> again = Concurrently.start(() -> this.store.create(Sessions.empty(this.name)));
			assertThat(again).succeedsWithin(Duration.ofSeconds(20));
			this.store.append(this.name, Events.append(Events.id("new")));
		});
		Session next = this.store.find(this.name, EventWindow.ALL).orElseThrow();
		assertThat(next.events()).extracting((event) -> event.id()).containsExactly("new");
		assertThat(next.state()).containsOnlyKeys("user:b");
		assertThat(this.jdbc.queryForObject("select count(*) from events where session_key = ?", Long.class, former))
			.isZero();
	}

	@Test
	@LogsErrors
	void theSweepFinishesWhatWasInterrupted() throws Exception {
		whileStuck(() -> this.store.delete(this.name, Precondition.NONE),
				() -> Awaitility.await().until(this::killsWhoWaits));

		assertThat(this.store.find(this.name, EventWindow.NONE)).isEmpty();
		assertThat(rows("events where session_key = ?")).isPositive();
		assertThat(rows("keys_to_sweep where session_key = ?")).isOne();
		this.sweeper.run();
		assertNothingIsLeft();
	}

	/**
	 * A writer gives up a row after a moment and tries again, so it does not always wait.
	 */
	private boolean killsWhoWaits() {
		return !this.jdbc.queryForList("select pg_terminate_backend(pid) from pg_stat_activity where " + WAITS)
			.isEmpty();
	}

	private void whileDeletionIsStuck(Runnable action) throws Exception {
		whileStuck(() -> this.store.delete(this.name, Precondition.NONE), action);
	}

	/** Somebody holds an event in the middle. */
	private void whileStuck(Runnable removal, Runnable action) throws Exception {
		CompletableFuture<Void> done;
		try (Connection other = this.dataSource.getConnection()) {
			other.setAutoCommit(false);
			lock(other);
			done = Concurrently.start(removal);
			Awaitility.await().until(() -> waiting() == 1);
			action.run();
			other.rollback();
			other.setAutoCommit(true);
		}
		done.get(30, TimeUnit.SECONDS);
	}

	private void lock(Connection other) throws SQLException {
		other.createStatement()
			.execute("select from events where session_key = '" + StoredKey.of(this.jdbc, this.name)
					+ "' and seq = 8000 for update");
	}

	private long waiting() {
		return this.jdbc.queryForObject("select count(*) from pg_stat_activity where " + WAITS, Long.class);
	}

	private void assertNothingIsLeft() {
		assertThat(rows("sessions where session_key = ?")).isZero();
		assertThat(rows("keys_to_sweep where session_key = ?")).isZero();
		assertThat(rows("events where session_key = ?")).isZero();
		assertThat(rows("state where scope_key = ?")).isZero();
	}

	private long rows(String from) {
		return this.jdbc.queryForObject("select count(*) from " + from, Long.class, StoredKey.of(this.jdbc, this.name));
	}

}
