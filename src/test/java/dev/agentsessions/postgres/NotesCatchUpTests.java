package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventView;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Events;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.StoreUnderTest;

/** What an older version of the service has stored is noted later. */
@PostgresTest
class NotesCatchUpTests implements StoreUnderTest {

	private static final EventWindow CONTEXT = EventWindow.ALL.of(EventView.CONTEXT);

	@Autowired
	private SessionStore store;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private NotesCatchUp catchUp;

	private SessionKey key;

	@Override
	public SessionStore store() {
		return this.store;
	}

	@BeforeEach
	void create() {
		this.key = newSession();
	}

	@Test
	void appendsKeepStep() {
		store(this.key, Events.id("e1"));
		this.store.appendAll(this.key, List.of(Events.id("e2"), Events.id("e3")), Precondition.NONE);
		assertThat(noted()).isEqualTo(3);
	}

	@Test
	void isDoneForAllSessions() {
		history();
		forget(0);
		this.catchUp.run();
		assertThat(noted()).isEqualTo(5);
		assertThat(context()).containsExactly("e1", "e5");
	}

	@Test
	void isDoneForASessionThatIsRead() {
		history();
		forget(0);
		assertThat(context()).containsExactly("e1", "e5");
		assertThat(noted()).isEqualTo(5);
	}

	/** While some replicas are not upgraded yet, they append behind what is noted. */
	@Test
	void isDoneWhereAnotherVersionHasAppended() {
		history();
		store(this.key, rewind("e6", "i1"));
		forget(5);
		store(this.key, Events.id("e7"));
		assertThat(noted()).as("nothing is noted behind a gap").isEqualTo(5);
		store(this.key, rewind("e8", "i9"));
		assertThat(context()).containsExactly("e7");
		assertThat(noted()).isEqualTo(8);
	}

	/** The older version has removed a session, but not what it did not know of. */
	@Test
	void takesNothingForASessionsThatIsLeftOfAnother() {
		history();
		this.jdbc.update("update sessions set has_marks = false where session_key = ?", ScopeKey.of(this.key));
		assertThat(context()).hasSize(5);
		store(this.key, rewind("e6", "i9"));
		assertThat(context()).containsExactly("e1", "e2", "e3", "e4", "e5");
		this.store.delete(this.key, Precondition.NONE);
	}

	@Test
	void goesThroughLongHistoriesPieceByPiece() {
		for (int piece = 0; piece < 11; piece++) {
			this.store.appendAll(this.key, numbered(piece * 1000), Precondition.NONE);
		}
		store(this.key, rewind("r", "i10999"));
		forget(0);
		this.catchUp.run();
		assertThat(noted()).isEqualTo(11_001);
		assertThat(context()).hasSize(10_999);
	}

	/** So large that the bodies of a few thousand could not be looked at at once. */
	@Test
	void goesThroughLargeEventsOnce() {
		String text = "functionResponse ".repeat(1200);
		for (int piece = 0; piece < 4; piece++) {
			int first = piece * 100;
			this.store.appendAll(this.key,
					IntStream.range(first, first + 100)
						.mapToObj((number) -> event("n" + number, "i" + number, text))
						.toList(),
					Precondition.NONE);
		}
		store(this.key, event("large", "i400", text.repeat(70)));
		store(this.key, rewind("r", "i399"));
		forget(0);
		assertThat(context()).hasSize(399);
		assertThat(noted()).isEqualTo(402);
	}

	/** One transaction would have to look at the history for each. */
	@Test
	void notesManyThatMeanSomethingPieceByPiece() {
		IntStream.range(0, 120).forEach((number) -> store(this.key, rewind("r" + number, "i9")));
		store(this.key, event("e1", "i1"));
		forget(0);
		assertThat(context()).containsExactly("e1");
		assertThat(noted()).isEqualTo(121);
	}

	@Test
	void isDoneForSessionsBehindOneThatCannotBeRead() {
		SessionKey other = newSession();
		List<SessionKey> both = new ArrayList<>(List.of(this.key, other));
		both.sort(Comparator.comparing((session) -> ScopeKey.of(session).toString()));
		both.forEach((session) -> store(session, rewind("r", "i9")));
		this.key = both.get(0);
		forget(0);
		this.jdbc.update("update events set body = '[\"compaction\"]' where session_key = ?", ScopeKey.of(this.key));
		this.key = both.get(1);
		forget(0);
		this.catchUp.run();
		assertThat(noted()).isEqualTo(1);
		both.forEach((session) -> this.store.delete(session, Precondition.NONE));
	}

	@Test
	void deletesWhatAnOlderVersionHasLeftOfSessions() {
		history();
		this.jdbc.update("""
				insert into event_marks (session_key, since_seq, kind, first_seq, last_seq)
				select gen_random_uuid(), 1, 'rewound', n, n from generate_series(1, 1100) as n""");
		this.jdbc.update("""
				insert into pending_calls (session_key, call_id, seq, since_seq, app_key, event_id, name, open_time)
				select gen_random_uuid(), 'c', 1, 1, gen_random_uuid(), 'e', 'f', now() from generate_series(1, 3)""");
		this.catchUp.run();
		assertThat(this.jdbc.queryForObject(
				"""
						select count(*) from (select session_key from event_marks union all select session_key from pending_calls) as noted
						where session_key not in (select session_key from sessions)""",
				Long.class))
			.isZero();
		assertThat(context()).containsExactly("e1", "e5");
	}

	private void history() {
		store(this.key, event("e1", "i1"));
		store(this.key, event("e2", "i2"));
		store(this.key, event("e3", "i3"));
		store(this.key, rewind("e4", "i2"));
		store(this.key, event("e5", "i5"));
	}

	/** As an older version leaves it. */
	private void forget(long noted) {
		this.jdbc.update("delete from event_marks where session_key = ? and since_seq > ?", ScopeKey.of(this.key),
				noted);
		this.jdbc.update(
				"update event_marks set until_seq = 9223372036854775807 where session_key = ? and until_seq > ?",
				ScopeKey.of(this.key), noted);
		this.jdbc.update("update sessions set noted_seq = ?, has_marks = has_marks and ? > 0 where session_key = ?",
				noted, noted, ScopeKey.of(this.key));
	}

	private long noted() {
		Long noted = this.jdbc.queryForObject("select noted_seq from sessions where session_key = ?", Long.class,
				ScopeKey.of(this.key));
		return (noted != null) ? noted : -1;
	}

	private List<String> context() {
		return this.store.find(this.key, CONTEXT).orElseThrow().events().toList().stream().map(Event::id).toList();
	}

	private static List<NewEvent> numbered(int first) {
		return IntStream.range(first, first + 1000).mapToObj((number) -> event("n" + number, "i" + number)).toList();
	}

	private static NewEvent event(String id, String invocationId) {
		return Events.event("{\"id\":\"%s\",\"author\":\"agent\",\"invocationId\":\"%s\"}".formatted(id, invocationId));
	}

	private static NewEvent event(String id, String invocationId, String text) {
		return Events.event("{\"id\":\"%s\",\"author\":\"user\",\"invocationId\":\"%s\",\"text\":\"%s\"}".formatted(id,
				invocationId, text));
	}

	private static NewEvent rewind(String id, String invocationId) {
		return Events.event("{\"id\":\"%s\",\"author\":\"user\",\"actions\":{\"rewindBeforeInvocationId\":\"%s\"}}"
			.formatted(id, invocationId));
	}

}
