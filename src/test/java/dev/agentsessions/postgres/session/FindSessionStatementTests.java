package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.postgres.session.FindSessionStatement.SessionRows;
import dev.agentsessions.postgres.session.FindSessionStatement.SessionRows.SessionRead;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;

/** Reads that share a statement. */
class FindSessionStatementTests extends PostgresStoreTest {

	private static final long DEFER_FROM = HeapBoundedReads.DEFER_FROM_BYTES;

	/** A text of more characters than a read of a group of 16 may have. */
	private static final String LONG = "x".repeat(40_000);

	@Autowired
	private FindSessionStatement statement;

	@Autowired
	private JdbcConnectionDetails database;

	private final SessionName first = Sessions.newKey();

	private final SessionName second = Sessions.sibling(this.first, "s2");

	private final SessionName ofAnother = Sessions.ofUser(this.first, "bob");

	private final SessionName elsewhere = Sessions.newKey();

	private final SessionName rewound = Sessions.sibling(this.first, "s3");

	@BeforeEach
	void create() {
		create(this.first, "{\"a\":1,\"user:a\":2,\"app:a\":3}", 3);
		create(this.second, "{}", 1);
		create(this.ofAnother, "{\"user:a\":4,\"b\":null}", 0);
		create(this.elsewhere, "{\"app:a\":5}", 2);
		this.store.create(Sessions.with(this.rewound, "{}",
				"{\"author\":\"a\",\"actions\":{\"rewindBeforeInvocationId\":\"i\"}}"));
	}

	private void create(SessionName name, String state, int events) {
		this.store.create(Sessions.with(name, state,
				IntStream.range(0, events)
					.mapToObj((number) -> "{\"id\":\"e%d\",\"author\":\"a\"}".formatted(number))
					.toArray(String[]::new)));
	}

	@Test
	void eachReadOfAGroupGetsWhatItGetsAlone() {
		List<SessionRead> reads = new ArrayList<>();
		EventWindow context = EventWindow.NONE.withView(HistoryView.CONTEXT);
		for (SessionName name : List.of(this.first, this.second, this.ofAnother, this.elsewhere, this.rewound)) {
			for (EventWindow window : List.of(EventWindow.ALL, EventWindow.NONE, new EventWindow(2, null), context,
					new EventWindow(null, null, HistoryView.FULL, 2), new EventWindow(1, null, HistoryView.FULL, 3))) {
				reads.add(read(name, window));
			}
		}
		reads.add(new SessionRead(this.first, UUID.randomUUID(), EventWindow.ALL));
		List<SessionRows> together = this.statement.execute(reads, DEFER_FROM);
		for (int index = 0; index < reads.size(); index++) {
			SessionRows alone = this.statement.execute(reads.get(index), DEFER_FROM);
			assertThat(Contents.of(together.get(index))).as("read %d", index).isEqualTo(Contents.of(alone));
		}
		assertThat(together.get(0).found().orElseThrow().state()).containsValue(new JsonText("3")).hasSize(3);
		assertThat(together.get(reads.size() - 1).found()).isEmpty();
	}

	@Test
	void noReadOfAGroupFindsAnExpiredSession() {
		this.jdbc.update("update sessions set expire_time = now() - interval '1 second' where session_key = ?",
				StoredKey.of(this.jdbc, this.second));
		List<SessionRows> rows = this.statement
			.execute(List.of(read(this.first, EventWindow.ALL), read(this.second, EventWindow.ALL)), DEFER_FROM);
		assertThat(rows.get(0).found()).isPresent();
		assertThat(rows.get(1).found()).isEmpty();
	}

	/** Later chunks are read alone. */
	@Test
	void aReadOfAGroupHasAPartOfTheLimit() {
		SessionName name = Sessions.sibling(this.first, "long");
		String event = "{\"author\":\"a\",\"content\":{\"parts\":[{\"text\":\"" + LONG + "\"}]}}";
		this.store.create(Sessions.with(name, "{}", event, event, event, event));
		SessionRead read = read(name, EventWindow.ALL);
		SessionRows.Found found = this.statement.execute(Collections.nCopies(16, read), DEFER_FROM)
			.get(15)
			.found()
			.orElseThrow();
		assertThat(found.events()).hasSize(2);
		assertThat(found.hasAllEvents()).isFalse();
		assertThat(this.statement.execute(read, DEFER_FROM).found().orElseThrow().hasAllEvents()).isTrue();
	}

	@Test
	void findsEachSessionByItsKey() {
		List<SessionRead> reads = List.of(read(this.first, EventWindow.ALL), read(this.elsewhere, EventWindow.NONE));
		List<String> plan = new QueryPlans(this.jdbc, this.database).of(() -> this.statement.execute(reads, DEFER_FROM))
			.get(0);
		assertThat(plan).isNotEmpty()
			.allSatisfy((text) -> assertThat(text).contains("sessions_pkey", "state_pkey", "events_pkey")
				.doesNotContain("Seq Scan"));
	}

	private SessionRead read(SessionName name, EventWindow window) {
		return new SessionRead(name, StoredKey.of(this.jdbc, name), window);
	}

	/** What a read finds, as values that can be compared. */
	private record Contents(List<Object> session, Map<String, JsonText> state, List<Event> events, boolean edited) {

		static Contents of(SessionRows rows) {
			return rows.found()
				.map((found) -> new Contents(
						List.of(found.session().name(), found.session().version(), found.session().createTime(),
								found.session().lastUpdateTime(), found.session().scopes()),
						found.state(), found.events(), found.edited()))
				.orElse(new Contents(List.of(Instant.EPOCH), Map.of(), List.of(), false));
		}

	}

}
