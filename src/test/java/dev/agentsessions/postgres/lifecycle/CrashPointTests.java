package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Histories;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;
import dev.agentsessions.session.transfer.TransferService.Store.ImportChunk;

/**
 * A process dies before any of the statements of a write that takes several transactions,
 * and the name of its session is used again. No row may be left that neither a session
 * has nor the sweep knows, and no session may show rows of another one.
 */
class CrashPointTests extends PostgresStoreTest {

	/** More than one transaction of a sweep removes. */
	private static final int EVENTS = 1100;

	/** More than one transaction of a fork copies. */
	private static final int EVENTS_OF_SOURCE = 5100;

	private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

	private static final String STRAY = """
			select count(*) from (
			  select session_key from events where id like 'crash%' union all
			  select session_key from initial_state where key like 'crash%' union all
			  select scope_key from state where key like 'crash%') as stray
			where not exists (select from sessions where sessions.session_key = stray.session_key)
			  and not exists (select from keys_to_sweep where keys_to_sweep.session_key = stray.session_key)
			""";

	@Autowired
	private HistoryService.Store past;

	@Autowired
	private PostgresTransferStore imports;

	@Autowired
	private Purge purge;

	@Autowired
	private KeySweeper sweeper;

	@ParameterizedTest
	@EnumSource
	void leavesNothingThatASuccessorShows(Write write) {
		int statement = 1;
		while (dies(write, Sessions.newKey(), statement)) {
			statement++;
		}
		assertThat(statement).as("statements of %s", write).isGreaterThan(5);
	}

	/** Whether the write has so many statements. */
	private boolean dies(Write write, SessionName name, int statement) {
		prepare(write, name);
		boolean died = isCrashed(statement, () -> write(write, name));
		String where = write + ", before statement " + statement;
		this.store.find(name, EventWindow.ALL).ifPresent((found) -> assertIsWhole(found, where));
		assertThat(stray()).as(where).isZero();

		this.store.delete(name, Precondition.NONE);
		this.store.create(Sessions.with(name, "{\"next\":1}", "{\"id\":\"next\"}"));
		this.jdbc.update("update keys_to_sweep set since = now() where user_key = ?", ScopeKey.of(name.user()));
		this.sweeper.run();

		Session next = this.store.find(name, EventWindow.ALL).orElseThrow();
		assertThat(next.events()).as(where).extracting(Event::id).containsExactly("next");
		assertThat(next.state()).as(where).containsOnlyKeys("next");
		assertThat(stray()).as(where).isZero();
		assertThat(this.jdbc.queryForObject("select count(*) from keys_to_sweep where user_key = ?", Long.class,
				ScopeKey.of(name.user())))
			.as(where)
			.isZero();
		this.store.erase(name.user());
		return died;
	}

	/** From a statement on, the thread that writes executes none. */
	private static boolean isCrashed(int statement, Runnable write) {
		Thread process = Thread.currentThread();
		AtomicInteger statements = new AtomicInteger();
		try {
			return StatementRecorder.callBeforeEach(() -> {
				if (Thread.currentThread() == process && statements.incrementAndGet() >= statement) {
					throw new Death();
				}
			}, () -> {
				write.run();
				return false;
			});
		}
		catch (Death ex) {
			return true;
		}
	}

	private void prepare(Write write, SessionName name) {
		switch (write) {
			case DELETE, ERASE -> create(name, EVENTS, null);
			case PURGE, CREATE_OVER_EXPIRED -> create(name, EVENTS, Instant.EPOCH);
			case FORK -> create(Sessions.sibling(name, "source"), EVENTS_OF_SOURCE, null);
			case IMPORT -> {
			}
		}
	}

	private void create(SessionName name, int events, Instant expireTime) {
		UUID sessionKey = this.store.create(Sessions.with(name, "{\"crash\":1}")).sessionKey();
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, kind, size, body)
				select ?, n, 'crash' || n, now(), now(), 'agent', 'i', 0, 2, '{}' from generate_series(1, ?) as n
				""", sessionKey, events);
		this.jdbc.update("update sessions set revision = ?, expire_time = ?::timestamptz where session_key = ?", events,
				(expireTime != null) ? expireTime.toString() : null, sessionKey);
	}

	private void write(Write write, SessionName name) {
		switch (write) {
			case DELETE -> this.store.delete(name, Precondition.NONE);
			case ERASE -> this.store.erase(name.user());
			case PURGE -> this.purge.run();
			case CREATE_OVER_EXPIRED -> this.store.create(Sessions.with(name, "{\"crash\":2}", "{\"id\":\"crash\"}"));
			case IMPORT -> importSession(name);
			case FORK -> Histories.of(this.store, this.past)
				.fork(new ForkRequest(Sessions.sibling(name, "source"), HistoryPoint.NEWEST, name, SessionDetails.NONE,
						Precondition.NONE), EventWindow.NONE);
		}
	}

	private void importSession(SessionName name) {
		UUID sessionKey = this.imports.begin(name.user());
		this.imports.add(name, sessionKey, piece(1, 2));
		this.imports.add(name, sessionKey, piece(3, 4));
		this.imports.finish(new ImportedSession(name, 5, CREATED, 0, CREATED.plusSeconds(5), SessionDetails.NONE, null),
				sessionKey, piece(5, 5), List.of());
	}

	private static ImportChunk piece(long first, long last) {
		Map<String, JsonText> state = JsonObject.parse("{\"crash" + first + "\":1}").members();
		return new ImportChunk(state, state, LongStream.rangeClosed(first, last)
			.mapToObj((seq) -> new ImportedEvent(seq, CREATED.plus(Duration.ofSeconds(seq)), Events.id("crash" + seq)))
			.toList());
	}

	private static void assertIsWhole(Session found, String where) {
		assertThat(found.events()).as(where).hasSize((int) found.revision());
		assertThat(found.state().keySet()).as(where).isNotEmpty().allMatch((key) -> key.startsWith("crash"));
	}

	private long stray() {
		return this.jdbc.queryForObject(STRAY, Long.class);
	}

	/** What takes several transactions, or leaves something to them. */
	enum Write {

		DELETE, ERASE, PURGE, CREATE_OVER_EXPIRED, IMPORT, FORK

	}

	/** The process ends. */
	private static final class Death extends Error {

		private static final long serialVersionUID = 1;

		Death() {
			super("", null, false, false);
		}

	}

}
