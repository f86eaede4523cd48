package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.postgres.StatementRecorder.Recorded;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Histories;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.StoreUnderTest;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;
import dev.agentsessions.session.transfer.TransferService.Store.ImportChunk;

/** Erasing users who have much, and who are still at work. */
class UserEraserTests extends PostgresStoreTest {

	private static final int SESSIONS = 250;

	private static final int MANY = 10_000;

	private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

	@Autowired
	private HistoryService.Store past;

	@Autowired
	private PostgresTransferStore imports;

	private final SessionName name = Sessions.newKey();

	@Test
	void erasesManySessionsPieceByPiece() {
		createSessions(1);
		List<Recorded> statements = StatementRecorder
			.record(() -> assertThat(this.store.erase(this.name.user())).isEqualTo(new Erasure(SESSIONS, SESSIONS, 0)));
		assertThat(transactions(statements)).isEqualTo(6);
		assertNothingIsLeft();
	}

	@Test
	void erasesManyEventsPieceByPiece() {
		createSessions(100);
		List<Recorded> statements = StatementRecorder.record(() -> assertThat(this.store.erase(this.name.user()))
			.isEqualTo(new Erasure(SESSIONS, SESSIONS * 100, 0)));
		assertThat(transactions(statements)).isBetween(SESSIONS / 10, SESSIONS / 7);
		assertNothingIsLeft();
	}

	/** Creates sessions that have so many events each. */
	private void createSessions(int revision) {
		this.jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
						  last_update_time)
						select gen_random_uuid(), gen_random_uuid(), ?, ?, ?, ?, 's' || number, ?, now(), now()
						from generate_series(1, ?) as number
						""",
				ScopeKey.of(this.name.app()), ScopeKey.of(this.name.user()), this.name.appName(), this.name.userId(),
				revision, SESSIONS);
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select session_key, seq, 'e' || seq, now(), now(), 'agent', 'i', 2, '{}'
				from sessions cross join generate_series(1, ?) as seq where user_key = ?
				""", revision, ScopeKey.of(this.name.user()));
	}

	private static int transactions(List<Recorded> statements) {
		return (int) statements.stream().filter((statement) -> statement.sql().endsWith("for update")).count();
	}

	@RepeatedTest(5)
	void neitherRevivesNorHalvesWhatIsErasedWhileOthersAppend() throws Exception {
		List<SessionName> keys = List.of(this.name, Sessions.sibling(this.name, "s2"),
				Sessions.sibling(this.name, "s3"));
		keys.forEach((session) -> this.store.create(Sessions.empty(session)));
		List<Boolean> done = Concurrently.run(8,
				(number) -> (number < 2) ? erase() : append(keys.get(number % keys.size()), number));
		assertThat(done).containsOnly(true);
		assertNothingIsLeft();
		for (SessionName session : keys) {
			assertThat(rows("select count(*) from events where session_key = ?", StoredKey.of(this.jdbc, session)))
				.isZero();
			assertThat(rows("select count(*) from state where scope_key = ?", StoredKey.of(this.jdbc, session)))
				.isZero();
		}
	}

	/** The erasure has listed the sessions, and not removed them yet. */
	@Test
	void findsAForkThatWasMadeAfterTheSessionsWereListed() {
		this.store.create(Sessions.with(this.name, "{\"a\":1}", "{\"id\":\"e1\"}"));
		SessionName fork = Sessions.sibling(this.name, "fork");
		AtomicInteger statements = new AtomicInteger();
		StatementRecorder.callBeforeEach(() -> {
			if (statements.incrementAndGet() == 2) {
				Concurrently.start(() -> fork(fork)).join();
			}
		}, () -> this.store.erase(this.name.user()));
		assertThat(this.store.find(fork, EventWindow.NONE)).isEmpty();
		assertNothingIsLeft();
	}

	/**
	 * The import began before the erasure and ends before each of its statements in turn.
	 */
	@Test
	void leavesNoSessionOfAnImportThatEndsMeanwhile() {
		int statement = 1;
		while (erasesWhileAnImportEndsBefore(statement)) {
			statement++;
		}
		assertThat(statement).isGreaterThan(10);
	}

	/** Returns whether the erasure has this number of statements. */
	private boolean erasesWhileAnImportEndsBefore(int statement) {
		SessionName session = Sessions.newKey();
		this.store.create(Sessions.with(session, "{}", "{\"id\":\"e1\"}"));
		SessionName imported = Sessions.sibling(session, "imported");
		UUID rows = this.imports.begin(session.user());
		this.imports.add(imported, rows, event(1));
		Thread erasing = Thread.currentThread();
		AtomicInteger statements = new AtomicInteger();
		StatementRecorder.callBeforeEach(() -> {
			if (Thread.currentThread() == erasing && statements.incrementAndGet() == statement) {
				Concurrently.start(() -> end(imported, rows)).join();
			}
		}, () -> this.store.erase(session.user()));
		assertThat(this.store.find(imported, EventWindow.NONE)).as("import before statement %d", statement).isEmpty();
		assertThat(rows("select count(*) from sessions where user_key = ?", ScopeKey.of(session.user()))).isZero();
		return statements.get() >= statement;
	}

	private void end(SessionName imported, UUID rows) {
		try {
			this.imports.finish(new ImportedSession(imported, 2, CREATED, 0, CREATED, SessionDetails.NONE, null), rows,
					event(2), List.of());
		}
		catch (ImportConflictException ex) {
			assertThat(ex).hasMessageContaining("erased");
		}
	}

	private static ImportChunk event(long seq) {
		return new ImportChunk(Map.of(), Map.of(), List.of(new ImportedEvent(seq, CREATED, Events.id("e" + seq))));
	}

	private void fork(SessionName fork) {
		Histories.of(this.store, this.past)
			.fork(new ForkRequest(this.name, HistoryPoint.NEWEST, fork, SessionDetails.NONE, Precondition.NONE),
					EventWindow.NONE);
	}

	@Tag("slow")
	@Test
	void endsThoughSomebodyForksAllTheTime() {
		Thread erasing = Thread.currentThread();
		Object outcome = StatementRecorder.callBeforeEach(() -> {
			if (Thread.currentThread() == erasing) {
				Concurrently.start(this::insertFork).join();
			}
		}, () -> StoreUnderTest.outcome(() -> this.store.erase(this.name.user())));
		assertThat(outcome).isInstanceOf(SessionException.Unavailable.class);
		this.store.erase(this.name.user());
		assertNothingIsLeft();
	}

	/** One fork at a time is enough to never end, and more would each be removed. */
	private void insertFork() {
		this.jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
						  last_update_time, forked_from)
						select key, key, ?, ?, ?, ?, key::text, 0, now(), now(), '{"sessionId":"s","seq":0}'
						from gen_random_uuid() as key
						where not exists (select from sessions where user_key = ?)
						""",
				ScopeKey.of(this.name.app()), ScopeKey.of(this.name.user()), this.name.appName(), this.name.userId(),
				ScopeKey.of(this.name.user()));
	}

	/** Two erase at once. */
	private boolean erase() {
		this.store.erase(this.name.user());
		return true;
	}

	/** Appends until the session is gone, one event or many at once. */
	private boolean append(SessionName session, int number) {
		String delta = "{\"k%1$d\":%1$d,\"user:k%1$d\":%1$d}".formatted(number);
		for (int count = 0; count < MANY; count++) {
			Object outcome = StoreUnderTest.outcome(() -> (number % 2 == 0)
					? this.store.append(session, Events.append(Events.delta(delta))) : this.store.appendAll(session,
							List.of(Events.delta(delta), Events.delta(delta)), Precondition.NONE));
			if (outcome instanceof SessionException.NotFound) {
				return true;
			}
		}
		return false;
	}

	private void assertNothingIsLeft() {
		UUID user = ScopeKey.of(this.name.user());
		assertThat(rows("select count(*) from sessions where user_key = ?", user)).isZero();
		assertThat(rows("select count(*) from state where scope_key = ?", user)).isZero();
	}

	private long rows(String sql, UUID scope) {
		return this.jdbc.queryForObject(sql, Long.class, scope);
	}

}
