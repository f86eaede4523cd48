package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.ForeignTransaction;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Histories;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.StoreUnderTest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.lifecycle.Creations.CreatedSession;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryPoint.InvocationStart;
import dev.agentsessions.session.lifecycle.HistoryPoint.RewindRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.PastSession;

/** Forks and rewinds of a session to which others write, or which others remove. */
class HistoryRaceTests extends PostgresStoreTest {

	/**
	 * An erasure waits for a transaction that has locked the key, and then stops the
	 * next.
	 */
	private static final String STOP_WRITERS = """
			update keys_to_sweep set since = now() where session_key in (
			  select session_key from keys_to_sweep where user_key = ? for update skip locked)
			""";

	private static final int TURNS = 25;

	@Autowired
	private HistoryService.Store past;

	@Autowired
	private JdbcConnectionDetails server;

	private final CountDownLatch forked = new CountDownLatch(5);

	private HistoryService history;

	@BeforeEach
	void begin() {
		this.history = Histories.of(this.store, this.past);
	}

	@Test
	void rewindsLoseNothingThatOthersWrite() throws Exception {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.with(name, "{\"a\":0}", "{\"invocationId\":\"i0\"}"));
		List<Boolean> done = Concurrently.run(8, (number) -> {
			for (int turn = 0; turn < TURNS; turn++) {
				if (number < 2) {
					this.history.rewind(name, new RewindRequest("i0", null), Precondition.NONE);
				}
				else {
					store(name, Events.delta("{\"k%1$d\":%2$d,\"a\":%2$d}".formatted(number, turn)));
				}
			}
			return true;
		});
		assertThat(done).containsOnly(true);
		PastSession newest = this.past.find(name, HistoryPoint.NEWEST, EventWindow.NONE).orElseThrow();
		assertThat(newest.session().revision()).isEqualTo(1 + 8L * TURNS);
		assertThat(newest.session().state()).isEqualTo(read(name).state());
		for (long seq = 1; seq <= newest.session().revision(); seq++) {
			PastSession then = this.past.find(name, HistoryPoint.after(seq), new EventWindow(1, null)).orElseThrow();
			if (then.session().events().toList().get(0).body().text().contains("rewindBeforeInvocationId")) {
				assertThat(then.session().state().get("a").text()).as("right after the rewind %d", seq).isEqualTo("0");
				assertThat(then.session().state().entrySet()).as("right after the rewind %d", seq)
					.allMatch((entry) -> entry.getKey().equals("a") || entry.getValue().isNull());
			}
		}
	}

	@RepeatedTest(5)
	void forksAreWholeOrNotThereWhileTheirSourceIsRemoved() throws Exception {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.with(name, "{\"a\":0,\"b\":0}"));
		storeMany(name, 30);
		List<Boolean> done = Concurrently.run(6, (number) -> (number == 0) ? delete(name) : fork(name, number));
		assertThat(done).containsOnly(true);
		for (int number = 1; number < 6; number++) {
			this.store.find(Sessions.sibling(name, "f" + number), EventWindow.ALL).ifPresent((fork) -> {
				assertThat(fork.events().toList()).hasSize(30);
				assertThat(fork.state()).hasSize(2);
				assertThat(this.past.find(fork.name(), HistoryPoint.after(0), EventWindow.NONE)
					.orElseThrow()
					.session()
					.state()).hasSize(2);
			});
		}
	}

	@RepeatedTest(10)
	void noForkOutlivesTheErasureOfItsUser() throws Exception {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.with(name, "{\"a\":0}"));
		storeMany(name, 30);
		List<Boolean> done = Concurrently.run(6, (number) -> (number == 0) ? erase(name) : fork(name, number));
		assertThat(done).containsOnly(true);
		UUID user = ScopeKey.of(name.user());
		assertThat(this.jdbc.queryForObject("select count(*) from sessions where user_key = ?", Integer.class, user))
			.isZero();
	}

	@Test
	void aForkOfTheNewestIsOfTheMomentOfItsPrecondition() {
		for (int statement = 1; statement <= 14; statement++) {
			SessionName name = newSession();
			storeMany(name, 1);
			ForkRequest request = fork(name, "f", new Precondition(2L, null));
			Object outcome = before(statement, () -> store(name, Events.delta("{\"late\":1}")),
					() -> StoreUnderTest.outcome(() -> this.history.fork(request, EventWindow.NONE)));
			assertThat(outcome).as("an append before statement %d", statement)
				.satisfiesAnyOf((refused) -> assertThat(refused).isInstanceOf(SessionException.Stale.class),
						(made) -> assertThat(read(request.target()).revision()).isEqualTo(2));
		}
	}

	/**
	 * An erasure stops all forks of the user, also of sessions that are created after it.
	 */
	@Test
	void aForkThatAnErasureHasStoppedBeginsAgain() {
		for (int statement = 4; statement <= 17; statement++) {
			SessionName name = newSession();
			storeMany(name, 1);
			ForkRequest request = fork(name, "f", Precondition.NONE);
			before(statement, () -> this.jdbc.update(STOP_WRITERS, ScopeKey.of(name.user())),
					() -> this.history.fork(request, EventWindow.NONE));
			assertThat(read(request.target()).revision()).as("stopped before statement %d", statement).isEqualTo(1);
		}
	}

	@Test
	void whatIsRefusedLooksThroughNoHistory() {
		SessionName name = newSession();
		storeMany(name, 3);
		Precondition stale = new Precondition(2L, null);
		ForkRequest past = new ForkRequest(name, HistoryPoint.after(1), Sessions.sibling(name, "f"),
				SessionDetails.NONE, stale);
		store(name, Events.event("{\"invocationId\":\"i\"}"));
		List<Runnable> wishes = List.of(() -> this.history.fork(past, EventWindow.NONE),
				() -> this.history.rewind(name, new RewindRequest("i", null), stale));
		wishes.forEach((wish) -> assertThat(StatementRecorder.record(
				() -> assertThat(StoreUnderTest.outcome(() -> run(wish))).isInstanceOf(SessionException.Stale.class)))
			.noneMatch((statement) -> statement.sql().contains("stateDelta")));
	}

	@Test
	void theStateIsNeverThatOfTwoSessions() {
		for (int events : List.of(0, 2)) {
			SessionName name = Sessions.newKey();
			this.store.create(Sessions.with(name, "{}", "{\"id\":\"e1\",\"actions\":{\"stateDelta\":{\"a\":1}}}"));
			Object outcome = before(3, () -> {
				this.store.delete(name, Precondition.NONE);
				this.store.create(Sessions.with(name, "{}"));
				storeMany(name, events);
			}, () -> StoreUnderTest.outcome(() -> this.history.explain(name, null)));
			assertThat(outcome).isInstanceOf(SessionException.NotFound.class);
		}
	}

	@Test
	void aRepeatedRewindIsOfOneSession() {
		for (int statement = 1; statement <= 6; statement++) {
			SessionName name = Sessions.newKey();
			this.store.create(Sessions.with(name, "{}", "{\"invocationId\":\"i0\"}"));
			UUID sessionKey = read(name).sessionKey();
			RewindRequest request = new RewindRequest("i0", "r1");
			this.history.rewind(name, request, Precondition.NONE);
			Object outcome = before(statement, () -> {
				this.store.delete(name, Precondition.NONE);
				this.store.create(Sessions.with(name, "{}", "{\"invocationId\":\"i0\"}"));
				storeMany(name, 3);
			}, () -> StoreUnderTest.outcome(() -> this.history.rewind(name, request, Precondition.NONE)));
			assertThat(outcome).as("replaced before statement %d", statement)
				.satisfiesAnyOf((refused) -> assertThat(refused).isInstanceOf(SessionException.NotFound.class),
						(done) -> assertThat(((AppendResult) done).version().sessionKey().equals(sessionKey))
							.isEqualTo(((AppendResult) done).replayed()));
		}
	}

	/** The event that is named begins another invocation in the other session. */
	@Test
	void aRewindToAnEventIsOfOneSession() {
		for (int statement = 1; statement <= 10; statement++) {
			SessionName name = Sessions.newKey();
			this.store.create(Sessions.with(name, "{}", "{\"id\":\"e1\",\"invocationId\":\"first\"}"));
			before(statement, () -> {
				this.store.delete(name, Precondition.NONE);
				this.store.create(Sessions.with(name, "{}", "{\"id\":\"e1\",\"invocationId\":\"second\"}"));
				store(name, Events.event("{\"invocationId\":\"first\"}"));
			}, () -> StoreUnderTest
				.outcome(() -> this.history.rewind(name, InvocationStart.at("event", "e1"), null, Precondition.NONE)));
			List<Event> events = read(name).events().toList();
			if (events.get(0).body().text().contains("second")) {
				assertThat(events).as("replaced before statement %d", statement)
					.noneMatch((event) -> event.body().text().contains("\"rewindBeforeInvocationId\":\"first\""));
			}
		}
	}

	@Test
	void forksNothingOfWhichEventsAreMissing() {
		SessionName name = newSession();
		storeMany(name, 3);
		this.jdbc.update("delete from events where session_key = ? and seq = 2", StoredKey.of(this.jdbc, name));
		assertThat(
				StoreUnderTest.outcome(() -> this.history.fork(fork(name, "f", Precondition.NONE), EventWindow.NONE)))
			.isInstanceOf(SessionException.NotFound.class);
		this.store.delete(name, Precondition.NONE);
	}

	@Test
	void doesNotWaitForWriterOfItsSource() throws Exception {
		SessionName name = newSession();
		storeMany(name, 3);
		try (ForeignTransaction other = ForeignTransaction.begin(this.server).lock(name)) {
			assertThat(this.history.fork(fork(name, "f", Precondition.NONE), EventWindow.ALL).session().events())
				.hasSize(3);
			other.commit();
		}
	}

	private static boolean run(Runnable wish) {
		wish.run();
		return true;
	}

	private static ForkRequest fork(SessionName name, String id, Precondition precondition) {
		return new ForkRequest(name, HistoryPoint.NEWEST, Sessions.sibling(name, id), SessionDetails.NONE,
				precondition);
	}

	/** Does something before one of the statements of an action. */
	private static Object before(int number, Runnable task, Supplier<Object> action) {
		AtomicInteger count = new AtomicInteger();
		return StatementRecorder.callBeforeEach(() -> {
			if (count.incrementAndGet() == number) {
				Concurrently.start(() -> run(task)).join();
			}
		}, action);
	}

	private boolean delete(SessionName name) {
		awaitForks();
		this.store.delete(name, Precondition.NONE);
		return true;
	}

	private boolean erase(SessionName name) {
		awaitForks();
		this.store.erase(name.user());
		return true;
	}

	/** Waits until every thread that forks has made a fork. */
	private void awaitForks() {
		try {
			assertThat(this.forked.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Forks until the session is gone; the last fork stays. */
	private boolean fork(SessionName name, int number) {
		for (int turn = 0; turn < 1000; turn++) {
			ForkRequest request = new ForkRequest(name, HistoryPoint.NEWEST, Sessions.sibling(name, "f" + number),
					SessionDetails.NONE, Precondition.NONE);
			this.store.delete(request.target(), Precondition.NONE);
			Object outcome = StoreUnderTest.outcome(() -> this.history.fork(request, EventWindow.NONE));
			if (outcome instanceof SessionException.NotFound) {
				return true;
			}
			assertThat(outcome).isInstanceOf(CreatedSession.class);
			if (turn == 0) {
				this.forked.countDown();
			}
		}
		return false;
	}

}
