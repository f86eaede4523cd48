package dev.agentsessions.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Events;
import dev.agentsessions.session.ImportConflictException;
import dev.agentsessions.session.ImportLease;
import dev.agentsessions.session.ImportedEvent;
import dev.agentsessions.session.ImportedPiece;
import dev.agentsessions.session.ImportedSession;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.Sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A session that comes in pieces is there as a whole or not at all. */
@PostgresTest
class ImportTests {

	private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

	private final SessionKey key = Sessions.newKey();

	@Autowired
	private PostgresTransferStore imports;

	@Autowired
	private SessionStore store;

	@Autowired
	private Transactions transactions;

	@Autowired
	private SessionRemover remover;

	@Autowired
	private JdbcTemplate jdbc;

	@Test
	void isFoundOnlyWithItsLastPiece() {
		ImportLease lease = this.imports.begin(this.key);
		lease = this.imports.add(this.key, lease, piece(1, 3));

		assertThat(this.store.find(this.key, EventWindow.ALL)).isEmpty();
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.store.append(this.key, Events.append(Events.id("x"))));
		assertThat(this.imports.sessionIds(this.key.user(), "")).isEmpty();

		this.imports.finish(session(5), lease, piece(4, 5));

		Session found = this.store.find(this.key, EventWindow.ALL).orElseThrow();
		assertThat(found.version()).isEqualTo(new SessionVersion(5, CREATED, 0));
		assertThat(found.lastUpdateTime()).isEqualTo(CREATED.plusSeconds(5));
		assertThat(found.events()).extracting((event) -> event.seq()).containsExactly(1L, 2L, 3L, 4L, 5L);
		assertThat(found.state()).isEqualTo(Sessions.state("{\"k1\":1,\"k4\":1}"));
		assertThat(this.store.append(this.key, Events.append(Events.id("x"))).version().revision()).isEqualTo(6);
	}

	@Test
	void isLeftAloneByThePurgeWhileItGoesOnAndClearedAwayAfterwards() {
		ImportLease lease = this.imports.begin(this.key);
		lease = this.imports.add(this.key, lease, piece(1, 2000));
		purge();
		lease = this.imports.add(this.key, lease, piece(2001, 2001));
		assertThat(rows()).isEqualTo(List.of(1L, 2001L, 2L, 2L));

		this.jdbc.update("update sessions set create_time = create_time - interval '6 minutes' where session_key = ?",
				ScopeKey.of(this.key));
		purge();

		assertThat(rows()).isEqualTo(List.of(0L, 0L, 0L, 0L));
		cannotGoOn(lease);
	}

	@Test
	void cannotGoOnWhenSomebodyElseHasRemovedIt() {
		ImportLease lease = this.imports.begin(this.key);
		lease = this.imports.add(this.key, lease, piece(1, 10));
		this.store.erase(this.key.user());

		assertThat(rows()).isEqualTo(List.of(0L, 0L, 0L, 0L));
		cannotGoOn(lease);
		assertThat(rows()).isEqualTo(List.of(0L, 0L, 0L, 0L));
	}

	@Test
	void givesWayToACreationAndToAnotherImport() {
		ImportLease lease = this.imports.begin(this.key);
		lease = this.imports.add(this.key, lease, piece(1, 10));
		ImportLease other = this.imports.begin(this.key);
		cannotGoOn(lease);
		this.imports.abandon(this.key, lease);
		other = this.imports.add(this.key, other, piece(1, 3));
		this.store.create(Sessions.empty(this.key));
		cannotGoOn(other);

		assertThat(this.store.find(this.key, EventWindow.ALL).orElseThrow().events()).isEmpty();
		assertThat(rows()).isEqualTo(List.of(1L, 0L, 0L, 0L));
		assertThatExceptionOfType(SessionException.AlreadyExists.class).isThrownBy(() -> this.imports.begin(this.key));
		assertThatExceptionOfType(SessionException.AlreadyExists.class)
			.isThrownBy(() -> this.imports.create(session(1), piece(1, 1)));
	}

	@Test
	void takesTheIdOfASessionThatHasExpired() {
		this.store.create(Sessions.until(this.key, Instant.EPOCH));
		this.imports.create(session(1), piece(1, 1));
		assertThat(this.store.find(this.key, EventWindow.ALL).orElseThrow().revision()).isEqualTo(1);
	}

	@Test
	void storesNothingOfAPieceWithAnIdThatIsThere() {
		ImportLease lease = this.imports.begin(this.key);
		ImportLease next = this.imports.add(this.key, lease, piece(1, 2));
		ImportedEvent same = new ImportedEvent(3, CREATED.plusSeconds(3), piece(1, 1).events().get(0).event());

		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(() -> this.imports
			.finish(session(3), next, new ImportedPiece(Map.of(), Sessions.state("{}"), List.of(same))));

		assertThat(this.store.find(this.key, EventWindow.ALL)).isEmpty();
		this.imports.abandon(this.key, next);
		assertThat(rows()).isEqualTo(List.of(0L, 0L, 0L, 0L));
		this.store.delete(this.key, Precondition.NONE);
	}

	@Test
	void refusesAnInitialStateThatIsLargerThanAState() {
		JsonText value = new JsonText("\"" + "x".repeat(9 << 20) + "\"");
		ImportLease lease = this.imports.begin(this.key);
		ImportLease next = this.imports.add(this.key, lease, initial(Map.of("a", value)));

		assertThatExceptionOfType(SessionException.TooLarge.class)
			.isThrownBy(() -> this.imports.add(this.key, next, initial(Map.of("b", value))))
			.withMessageStartingWith("The initial state of the session has more than 16777216 bytes");

		this.imports.abandon(this.key, next);
		assertThat(rows()).isEqualTo(List.of(0L, 0L, 0L, 0L));
	}

	@Test
	void refusesAnInitialKeyThatIsThere() {
		ImportLease lease = this.imports.begin(this.key);
		ImportLease next = this.imports.add(this.key, lease, piece(1, 1));
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> this.imports.add(this.key, next, initial(Map.of("i1", new JsonText("0")))))
			.withMessageContaining("initialState");
		this.imports.abandon(this.key, next);
	}

	private static ImportedPiece initial(Map<String, JsonText> state) {
		return new ImportedPiece(state, Map.of(), List.of());
	}

	private void cannotGoOn(ImportLease lease) {
		assertThatExceptionOfType(ImportConflictException.class)
			.isThrownBy(() -> this.imports.add(this.key, lease, piece(11, 12)));
		assertThatExceptionOfType(ImportConflictException.class)
			.isThrownBy(() -> this.imports.finish(session(12), lease, piece(11, 12)));
	}

	private ImportedSession session(long revision) {
		return new ImportedSession(this.key, new SessionVersion(revision, CREATED, 0), CREATED.plusSeconds(revision),
				SessionDetails.NONE, true, null);
	}

	private static ImportedPiece piece(long first, long last) {
		return new ImportedPiece(Map.of("i" + first, new JsonText("0")),
				JsonObject.parse("{\"k" + first + "\":1}").members(),
				LongStream.rangeClosed(first, last).mapToObj(ImportTests::event).toList());
	}

	private static ImportedEvent event(long seq) {
		return new ImportedEvent(seq, CREATED.plus(Duration.ofSeconds(seq)), Events.id("e" + seq));
	}

	private void purge() {
		new Purge(this.transactions, this.remover, this.jdbc, new ExpiryProperties(Duration.ZERO),
				new SimpleMeterRegistry())
			.run();
		new Purge(this.transactions, this.remover, this.jdbc, new ExpiryProperties(Duration.ofHours(1)),
				new SimpleMeterRegistry())
			.run();
	}

	/** How many rows the session has in each table. */
	private List<Long> rows() {
		return List.of(count("sessions where session_key = ?"), count("events where session_key = ?"),
				count("state where scope_key = ?"), count("initial_state where session_key = ?"));
	}

	private long count(String from) {
		return this.jdbc.queryForObject("select count(*) from " + from, Long.class, ScopeKey.of(this.key));
	}

}
