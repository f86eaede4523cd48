package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.ForeignTransaction;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Histories;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;
import dev.agentsessions.session.transfer.TransferService.Store.ImportChunk;

/**
 * A removal in several transactions is overtaken by another one, and the name is used
 * again. The removal must not touch the session that has the name now.
 */
class RemovalRaceTests extends PostgresStoreTest {

	private static final int EVENTS = 5000;

	private static final int NEW_EVENTS = 3;

	/** Sets the time-out, locks the session, deletes events. */
	private static final int STATEMENTS_OF_STEP = 3;

	private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

	@Autowired
	private PostgresTransferStore imports;

	@Autowired
	private HistoryService.Store past;

	@Autowired
	private KeySweeper sweeper;

	@Autowired
	private Purge purge;

	@Autowired
	private JdbcConnectionDetails server;

	private final SessionName name = Sessions.newKey();

	private UUID sessionKey;

	@BeforeEach
	void create() {
		this.sessionKey = this.store.create(Sessions.empty(this.name)).sessionKey();
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select ?, n, 'old' || n, now(), now(), 'agent', 'i', 2, '{}' from generate_series(1, ?) as n
				""", this.sessionKey, EVENTS);
		this.jdbc.update("update sessions set revision = ? where session_key = ?", EVENTS, this.sessionKey);
	}

	@Test
	void aReplicaThatWasStoppedDoesNotTouchAnImportOfTheSameName() {
		UUID[] next = new UUID[1];
		afterHalfARemoval(() -> {
			this.store.delete(this.name, Precondition.NONE);
			next[0] = this.imports.begin(this.name.user());
			this.imports.add(this.name, next[0], piece(1, NEW_EVENTS - 1));
		});
		this.imports.finish(imported(), next[0], piece(NEW_EVENTS, NEW_EVENTS), List.of());
		assertNewSessionIsWhole();
	}

	/** The third transaction meets the row, and is stopped before it tries again. */
	@Test
	void aRemovalThatMetALockedRowDoesNotTouchAnImportOfTheSameName() throws Exception {
		UUID[] next = new UUID[1];
		AtomicInteger statements = new AtomicInteger();
		try (ForeignTransaction other = lockEvent(2500)) {
			StatementRecorder.callBeforeEach(inThisThread(() -> {
				if (events() == 3000 && statements.incrementAndGet() == STATEMENTS_OF_STEP + 1) {
					Concurrently.start(() -> {
						release(other);
						this.store.delete(this.name, Precondition.NONE);
						next[0] = this.imports.begin(this.name.user());
						this.imports.add(this.name, next[0], piece(1, NEW_EVENTS - 1));
					}).join();
				}
			}), () -> {
				this.store.delete(this.name, Precondition.NONE);
				return true;
			});
		}
		this.imports.finish(imported(), next[0], piece(NEW_EVENTS, NEW_EVENTS), List.of());
		assertNewSessionIsWhole();
	}

	/**
	 * Returns a hook that ignores the statements of other threads, such as the regular
	 * sweep: if it ran in one of them, the writer would not wait for it.
	 */
	private static Runnable inThisThread(Runnable hook) {
		Thread writer = Thread.currentThread();
		return () -> {
			if (Thread.currentThread() == writer) {
				hook.run();
			}
		};
	}

	private static void release(ForeignTransaction other) {
		try {
			other.commit();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The source goes before each of the statements of the fork in turn. */
	@Test
	void aForkWhoseSourceIsRemovedMeanwhileIsWholeOrIsNotMade() {
		int statement = 1;
		while (isForkedWhileTheSourceGoesBefore(statement)) {
			statement++;
		}
		assertThat(statement).isGreaterThan(10);
	}

	/** Whether the fork has so many statements. */
	private boolean isForkedWhileTheSourceGoesBefore(int statement) {
		SessionName source = Sessions.newKey();
		SessionName fork = Sessions.sibling(source, "fork");
		this.store.create(Sessions.with(source, "{\"first\":1}", "{\"id\":\"e1\"}"));
		AtomicInteger statements = new AtomicInteger();
		StatementRecorder.callBeforeEach(inThisThread(() -> {
			if (statements.incrementAndGet() == statement) {
				Concurrently.start(() -> {
					this.store.delete(source, Precondition.NONE);
					this.sweeper.run();
				}).join();
			}
		}), () -> fork(source, fork));
		this.store.find(fork, EventWindow.ALL).ifPresent((found) -> {
			assertThat(found.events()).as("statement %d", statement).hasSize(1);
			assertThat(this.jdbc.queryForList("select key from initial_state where session_key = ?", String.class,
					found.sessionKey()))
				.as("statement %d", statement)
				.containsExactly("first");
		});
		return statements.get() >= statement;
	}

	private boolean fork(SessionName source, SessionName fork) {
		try {
			Histories.of(this.store, this.past)
				.fork(new ForkRequest(source, HistoryPoint.NEWEST, fork, SessionDetails.NONE, Precondition.NONE),
						EventWindow.NONE);
			return true;
		}
		catch (SessionException.NotFound ex) {
			return false;
		}
	}

	@Test
	void aReplicaThatWasStoppedLeavesNothingOfAShortLivedSessionOfTheSameName() {
		NewEvent[] events = LongStream.rangeClosed(1, NEW_EVENTS)
			.mapToObj((seq) -> Events.id("new" + seq))
			.toArray(NewEvent[]::new);
		afterHalfARemoval(() -> {
			this.store.delete(this.name, Precondition.NONE);
			this.store.create(new CreateSession(this.name, StateDeltas.of(JsonObject.parse("{}")), List.of(events),
					new SessionDetails(null, null, Instant.EPOCH)));
		});
		this.purge.run();
		Session next = this.store.create(Sessions.empty(this.name));
		assertThat(this.store.append(this.name, Events.append(Events.id("next"))).version().revision()).isOne();
		assertThat(this.store.find(next.name(), EventWindow.ALL).orElseThrow().events()).hasSize(1);
	}

	/** Removes the session, and does something when about half of its events are gone. */
	private void afterHalfARemoval(Runnable task) {
		AtomicBoolean done = new AtomicBoolean();
		BooleanSupplier isHalf = () -> events() <= EVENTS / 2;
		StatementRecorder.callBeforeEach(inThisThread(() -> {
			if (isHalf.getAsBoolean() && done.compareAndSet(false, true)) {
				Concurrently.start(task).join();
			}
		}), () -> {
			this.store.delete(this.name, Precondition.NONE);
			return true;
		});
		assertThat(done).as("the task has run").isTrue();
	}

	/** By a connection of its own, so that the look is none of the statements. */
	private long events() {
		try (ForeignTransaction look = ForeignTransaction.begin(this.server)) {
			return look.count("select count(*) from events where id like 'old%' and session_key = ?", this.sessionKey);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ForeignTransaction lockEvent(long seq) throws SQLException {
		return ForeignTransaction.begin(this.server)
			.execute("select from events where session_key = ? and seq = ? for update", this.sessionKey, seq);
	}

	private void assertNewSessionIsWhole() {
		Session found = this.store.find(this.name, EventWindow.ALL).orElseThrow();
		assertThat(found.revision()).isEqualTo(NEW_EVENTS);
		assertThat(found.events()).extracting((event) -> event.id()).containsExactly("new1", "new2", "new3");
		this.store.append(this.name, Events.append(Events.id("next")));
	}

	private ImportedSession imported() {
		return new ImportedSession(this.name, NEW_EVENTS, CREATED, 0, CREATED.plusSeconds(NEW_EVENTS),
				SessionDetails.NONE, null);
	}

	private static ImportChunk piece(long first, long last) {
		return new ImportChunk(Map.of(), Map.of(),
				LongStream.rangeClosed(first, last)
					.mapToObj((seq) -> new ImportedEvent(seq, CREATED.plusSeconds(seq), Events.id("new" + seq)))
					.toList());
	}

}
