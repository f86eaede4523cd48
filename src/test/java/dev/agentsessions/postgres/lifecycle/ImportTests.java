package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;
import dev.agentsessions.session.transfer.TransferService.Store.ImportChunk;

/** A session that comes in pieces is there as a whole or not at all. */
class ImportTests extends PostgresStoreTest {

	private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

	private final SessionName name = Sessions.newKey();

	@Autowired
	private PostgresTransferStore imports;

	@Autowired
	private KeySweeper sweeper;

	@Test
	void importedSessionIsVisibleAfterLastBatchOnly() {
		UUID sessionKey = this.imports.begin(this.name.user());
		this.imports.add(this.name, sessionKey, piece(1, 3));

		assertThat(this.store.find(this.name, EventWindow.ALL)).isEmpty();
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.store.append(this.name, Events.append(Events.id("x"))));
		assertThat(this.imports.sessionIds(this.name.user(), "")).isEmpty();

		this.imports.finish(session(5), sessionKey, piece(4, 5), List.of());

		Session found = this.store.find(this.name, EventWindow.ALL).orElseThrow();
		assertThat(found.version()).isEqualTo(new SessionVersion(5, sessionKey, CREATED.plusSeconds(5), 0));
		assertThat(found.createTime()).isEqualTo(CREATED);
		assertThat(found.lastUpdateTime()).isEqualTo(CREATED.plusSeconds(5));
		assertThat(found.events()).extracting((event) -> event.seq()).containsExactly(1L, 2L, 3L, 4L, 5L);
		assertThat(found.state()).isEqualTo(Sessions.state("{\"k1\":1,\"k4\":1}"));
		assertThat(this.store.append(this.name, Events.append(Events.id("x"))).version().revision()).isEqualTo(6);
	}

	@Test
	void isLeftAloneByTheSweepWhileItGoesOnAndSweptAfterAnHour() {
		UUID sessionKey = this.imports.begin(this.name.user());
		this.imports.add(this.name, sessionKey, piece(1, 2000));
		this.sweeper.run();
		this.imports.add(this.name, sessionKey, piece(2001, 2001));
		assertThat(rows(sessionKey)).isEqualTo(List.of(0L, 2001L, 2L, 2L, 1L));

		this.jdbc.update("update keys_to_sweep set since = since - interval '61 minutes' where session_key = ?",
				sessionKey);
		cannotGoOn(sessionKey);
		this.sweeper.run();

		assertThat(rows(sessionKey)).isEqualTo(List.of(0L, 0L, 0L, 0L, 0L));
		cannotGoOn(sessionKey);
	}

	@Test
	void cannotGoOnWhenItsUserWasErased() {
		UUID sessionKey = this.imports.begin(this.name.user());
		this.imports.add(this.name, sessionKey, piece(1, 10));
		this.store.erase(this.name.user());

		assertThat(rows(sessionKey)).isEqualTo(List.of(0L, 0L, 0L, 0L, 0L));
		cannotGoOn(sessionKey);
		assertThat(rows(sessionKey)).isEqualTo(List.of(0L, 0L, 0L, 0L, 0L));
	}

	@Test
	void unfinishedImportBlocksNoCreationOrImport() {
		UUID sessionKey = this.imports.begin(this.name.user());
		this.imports.add(this.name, sessionKey, piece(1, 10));
		UUID other = this.imports.begin(this.name.user());
		this.imports.add(this.name, other, piece(1, 3));
		this.store.create(Sessions.empty(this.name));

		for (UUID late : List.of(sessionKey, other)) {
			assertThatExceptionOfType(SessionException.AlreadyExists.class)
				.isThrownBy(() -> this.imports.finish(session(11), late, piece(11, 11), List.of()));
			this.imports.abandon(this.name.user(), late);
			assertThat(rows(late)).isEqualTo(List.of(0L, 0L, 0L, 0L, 0L));
		}
		assertThat(this.store.find(this.name, EventWindow.ALL).orElseThrow().events()).isEmpty();
		assertThatExceptionOfType(SessionException.AlreadyExists.class)
			.isThrownBy(() -> this.imports.finish(session(1), null, piece(1, 1), List.of()));
	}

	@Test
	void takesTheIdOfASessionThatHasExpired() {
		UUID expired = this.store.create(Sessions.until(this.name, Instant.EPOCH)).sessionKey();
		this.imports.finish(session(1), null, piece(1, 1), List.of());
		assertThat(this.store.find(this.name, EventWindow.ALL).orElseThrow().revision()).isEqualTo(1);
		assertThat(rows(expired)).isEqualTo(List.of(0L, 0L, 0L, 0L, 1L));
		this.sweeper.run();
		assertThat(rows(expired)).isEqualTo(List.of(0L, 0L, 0L, 0L, 0L));
	}

	@Test
	void storesNothingOfAPieceWithAnIdThatIsThere() {
		UUID sessionKey = this.imports.begin(this.name.user());
		this.imports.add(this.name, sessionKey, piece(1, 2));
		ImportedEvent same = new ImportedEvent(3, CREATED.plusSeconds(3), piece(1, 1).events().get(0).event());

		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(() -> this.imports
			.finish(session(3), sessionKey, new ImportChunk(Map.of(), Sessions.state("{}"), List.of(same)), List.of()));

		assertThat(this.store.find(this.name, EventWindow.ALL)).isEmpty();
		this.imports.abandon(this.name.user(), sessionKey);
		assertThat(rows(sessionKey)).isEqualTo(List.of(0L, 0L, 0L, 0L, 0L));
	}

	@Test
	void refusesAnInitialStateThatIsLargerThanAState() {
		JsonText value = new JsonText("\"" + "x".repeat(9 << 20) + "\"");
		UUID sessionKey = this.imports.begin(this.name.user());
		this.imports.add(this.name, sessionKey, initial(Map.of("a", value)));

		assertThatExceptionOfType(SessionException.TooLarge.class)
			.isThrownBy(() -> this.imports.add(this.name, sessionKey, initial(Map.of("b", value))))
			.withMessageStartingWith("The initial state of the session has more than 16777216 bytes");

		this.imports.abandon(this.name.user(), sessionKey);
		assertThat(rows(sessionKey)).isEqualTo(List.of(0L, 0L, 0L, 0L, 0L));
	}

	@Test
	void refusesAnInitialKeyThatIsThere() {
		UUID sessionKey = this.imports.begin(this.name.user());
		this.imports.add(this.name, sessionKey, piece(1, 1));
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> this.imports.add(this.name, sessionKey, initial(Map.of("i1", new JsonText("0")))))
			.withMessageContaining("initialState");
		this.imports.abandon(this.name.user(), sessionKey);
	}

	@Test
	void keysThatNoEventHasSetWereThereAtTheBeginning() {
		this.imports.finish(session(1), null,
				new ImportChunk(Map.of(), Sessions.state("{\"a\":1,\"b\":2}"), piece(1, 1).events()), List.of("b"));
		assertThat(this.imports.initialState(this.name,
				this.store.find(this.name, EventWindow.NONE).orElseThrow().sessionKey()))
			.isEqualTo(Sessions.state("{\"b\":2}"));
	}

	private static ImportChunk initial(Map<String, JsonText> state) {
		return new ImportChunk(state, Map.of(), List.of());
	}

	private void cannotGoOn(UUID sessionKey) {
		assertThatExceptionOfType(ImportConflictException.class)
			.isThrownBy(() -> this.imports.add(this.name, sessionKey, piece(11, 12)));
		assertThatExceptionOfType(ImportConflictException.class)
			.isThrownBy(() -> this.imports.finish(session(12), sessionKey, piece(11, 12), List.of()));
	}

	private ImportedSession session(long revision) {
		return new ImportedSession(this.name, revision, CREATED, 0, CREATED.plusSeconds(revision), SessionDetails.NONE,
				null);
	}

	private static ImportChunk piece(long first, long last) {
		return new ImportChunk(Map.of("i" + first, new JsonText("0")),
				JsonObject.parse("{\"k" + first + "\":1}").members(),
				LongStream.rangeClosed(first, last).mapToObj(ImportTests::event).toList());
	}

	private static ImportedEvent event(long seq) {
		return new ImportedEvent(seq, CREATED.plus(Duration.ofSeconds(seq)), Events.id("e" + seq));
	}

	/** How many rows there are under a key in each table. */
	private List<Long> rows(UUID sessionKey) {
		return List.of(count("sessions where session_key = ?", sessionKey),
				count("events where session_key = ?", sessionKey), count("state where scope_key = ?", sessionKey),
				count("initial_state where session_key = ?", sessionKey),
				count("keys_to_sweep where session_key = ?", sessionKey));
	}

	private long count(String from, UUID sessionKey) {
		return this.jdbc.queryForObject("select count(*) from " + from, Long.class, sessionKey);
	}

}
