package dev.agentsessions.postgres.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.Interruption;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.SearchService.FoundTurns;
import dev.agentsessions.search.SearchService.FoundTurns.FoundTurn;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;

/** A search indexes a session while another request changes or removes it. */
class SearchRaceTests extends SearchStoreTest {

	private static final int SECONDS_TO_HANG = 60;

	/** Those that read the sessions and the rewinds, and the next one. */
	private static final int STATEMENTS_BEFORE_THE_EVENTS = 3;

	/** The one that reads the sessions, and the next one. */
	private static final int STATEMENTS_BEFORE_THE_RANKING = 2;

	/** On a busy machine, a search may have no time left to try again. */
	private static final int MAX_TRIES = 20;

	@Autowired
	private FactService.Store facts;

	@Autowired
	private TurnReader reader;

	@Autowired
	private IndexLocks locks;

	@Autowired
	private Transactions transactions;

	/** The session goes before each of the statements of the search in turn. */
	@Test
	void aSessionThatIsRemovedMeanwhileLeavesNothing() {
		int statement = 1;
		while (isSearchedWhileTheSessionGoesBefore(statement)) {
			statement++;
		}
		assertThat(statement).isGreaterThan(8);
	}

	/** Returns whether the search has this number of statements. */
	private boolean isSearchedWhileTheSessionGoesBefore(int statement) {
		SessionName name = Sessions.newKey();
		UUID sessionKey = session(name, "a tulip");
		boolean interrupted = Interruption.before(statement, () -> this.store.delete(name, Precondition.NONE),
				() -> search(name));
		if (interrupted) {
			assertThat(rows("said", sessionKey) + rows("said_sessions", sessionKey)).as("statement %d", statement)
				.isZero();
			assertThat(search(name).turns()).as("statement %d", statement).isEmpty();
		}
		return interrupted;
	}

	/** The user is erased before each of the statements of the request in turn. */
	@Test
	void aForgottenEventOfAUserWhoIsErasedMeanwhileLeavesNothing() {
		int statement = 1;
		while (isForgottenWhileTheUserIsErasedBefore(statement)) {
			statement++;
		}
		assertThat(statement).isGreaterThan(5);
	}

	/** Returns whether the request has this number of statements. */
	private boolean isForgottenWhileTheUserIsErasedBefore(int statement) {
		SessionName name = Sessions.newKey();
		UUID sessionKey = session(name, "a tulip");
		AtomicBoolean forgotten = new AtomicBoolean();
		boolean interrupted = Interruption.before(statement, () -> this.store.erase(name.user()),
				() -> forgotten.set(this.facts.forget(name.user(), new TurnId(sessionKey, 1))));
		if (interrupted) {
			Integer rows = this.jdbc.queryForObject("select count(*) from forgotten where scope_key = ?", Integer.class,
					ScopeKey.of(name.user()));
			assertThat(rows).as("statement %d", statement).isZero();
		}
		else {
			assertThat(forgotten).isTrue();
		}
		return interrupted;
	}

	/** The label comes while the search reads the events. */
	@Test
	void aSessionThatOptsOutMeanwhileIsNotIndexed() {
		SessionName name = Sessions.newKey();
		UUID sessionKey = session(name, "a tulip");
		AtomicInteger statements = new AtomicInteger();
		FoundTurns found = StatementRecorder.callBeforeEach(() -> {
			if (statements.incrementAndGet() == STATEMENTS_BEFORE_THE_EVENTS) {
				this.jdbc.update("update sessions set labels = '{\"memory\":\"off\"}' where session_key = ?",
						sessionKey);
			}
		}, () -> search(name));
		assertThat(found.turns()).isEmpty();
		assertThat(rows("said", sessionKey) + rows("said_sessions", sessionKey)).isZero();
	}

	/**
	 * Another search begins the index of the session anew after this one has read its
	 * state.
	 */
	@Test
	void tellsThatEventsAreMissingIfTheSessionIsIndexedAnewMeanwhile() {
		SessionName name = Sessions.newKey();
		UUID sessionKey = session(name, "a tulip");
		assertThat(search(name).missing()).isZero();
		AtomicInteger statements = new AtomicInteger();
		FoundTurns found = StatementRecorder.callBeforeEach(() -> {
			if (statements.incrementAndGet() == STATEMENTS_BEFORE_THE_RANKING) {
				this.jdbc.update("update said_sessions set analysis = -1, turns = 0 where session_key = ?", sessionKey);
				this.jdbc.update("delete from said where session_key = ?", sessionKey);
			}
		}, () -> search(name));
		assertThat(found.turns()).isEmpty();
		assertThat(found.missing()).isOne();
		assertThat(search(name).turns()).hasSize(1);
	}

	/** The session is indexed anew between the ranking and the reading. */
	@Test
	void anotherTurnThatHasTheNumberOfAHitMeanwhileIsNotShown() {
		SessionName name = Sessions.newKey();
		UUID sessionKey = session(name, "a tulip");
		assertThat(search(name).turns()).hasSize(1);
		assertThat(read(name, sessionKey, "A tulip!")).hasSize(1);
		assertThat(read(name, sessionKey, "a rose")).isEmpty();
	}

	private List<FoundTurn> read(SessionName name, UUID sessionKey, String text) {
		RankedTurn ranked = new RankedTurn(sessionKey, 1, null, Instant.EPOCH, Digests.ofText(text), 1, 1);
		return this.reader.read(ScopeKey.of(name.user()), List.of(ranked), 1).found();
	}

	@Test
	void searchesAtTheSameTimeIndexEachEventOnce() throws Exception {
		SessionName name = Sessions.newKey();
		UUID sessionKey = session(name, "a tulip");
		for (int number = 2; number <= 300; number++) {
			say(name, "word " + number);
		}
		List<FoundTurns> found = Concurrently.run(8, (number) -> search(name));
		assertThat(found).allMatch((turns) -> turns.turns().size() == 1 || turns.missing() > 0);
		while (search(name).missing() > 0) {
			assertThat(rows("said", sessionKey)).isLessThan(300);
		}
		assertThat(rows("said", sessionKey)).isEqualTo(300);
		assertThat(this.jdbc.queryForList("select turn from said where session_key = ? and turn <> seq", sessionKey))
			.isEmpty();
	}

	/**
	 * The other request keeps the session locked until the transaction in which the
	 * search waits for the lock has ended.
	 */
	@Test
	void triesAgainAfterAnotherRequestHasIndexedTheSession() {
		assertThat(IntStream.range(0, MAX_TRIES).mapToObj((number) -> searchOfALockedSession()))
			.anyMatch((found) -> found.missing() == 0 && found.turns().size() == 1);
	}

	private FoundTurns searchOfALockedSession() {
		SessionName name = Sessions.newKey();
		UUID sessionKey = session(name, "a tulip");
		CountDownLatch locked = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		CompletableFuture<Void> other = Concurrently.start(() -> {
			this.transactions.once(() -> {
				this.locks.lock(sessionKey);
				locked.countDown();
				return await(released);
			});
		});
		await(locked);
		AtomicBoolean waited = new AtomicBoolean();
		FoundTurns found = StatementRecorder.callBeforeEach(() -> {
			if (TransactionSynchronizationManager.isActualTransactionActive()) {
				waited.set(true);
			}
			else if (waited.get()) {
				released.countDown();
				other.join();
			}
		}, () -> search(name));
		released.countDown();
		other.join();
		return found;
	}

	private FoundTurns search(SessionName name) {
		return search(name, "tulip");
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(SECONDS_TO_HANG, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
