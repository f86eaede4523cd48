package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.NewEvent;

/** Reading one session with a window of its events. */
interface FindContract extends StoreUnderTest {

	@Test
	default void findsNothingUnderAnotherName() {
		SessionName name = newSession();
		assertThat(store().find(Sessions.sibling(name, "other"), EventWindow.ALL)).isEmpty();
		assertThat(store().find(Sessions.ofUser(name, "other"), EventWindow.ALL)).isEmpty();
		assertThat(store().find(Sessions.newKey(), EventWindow.ALL)).isEmpty();
	}

	@Test
	default void tellsNamesApartByEveryCharacter() {
		SessionName composed = Sessions.sibling(newSession(), "caf\u00e9");
		store().create(Sessions.empty(composed));
		assertThat(store().find(Sessions.sibling(composed, "cafe\u0301"), EventWindow.ALL)).isEmpty();
		assertThat(store().find(Sessions.sibling(composed, "Caf\u00e9"), EventWindow.ALL)).isEmpty();
		assertThat(store().find(composed, EventWindow.ALL)).isPresent();
	}

	@Test
	default void readsTheWholeHistoryOldestFirst() {
		SessionName name = newSession();
		storeMany(name, 5);
		assertThat(read(name).events()).extracting(Event::seq).containsExactly(1L, 2L, 3L, 4L, 5L);
	}

	@Test
	default void readsTheNewestEventsOldestFirst() {
		SessionName name = newSession();
		storeMany(name, 5);
		assertThat(idsIn(name, 2, null)).containsExactly("e4", "e5");
		assertThat(idsIn(name, 9, null)).containsExactly("e1", "e2", "e3", "e4", "e5");
		assertThat(idsIn(name, 0, null)).isEmpty();
	}

	@Test
	default void readsEventsStampedAtATimeOrLater() {
		SessionName name = stampedSession();
		assertThat(idsIn(name, null, "2026-01-01T00:00:02Z")).containsExactly("e1", "e3");
		assertThat(idsIn(name, null, "2026-01-01T00:00:02.000001Z")).containsExactly("e3");
		assertThat(idsIn(name, null, "2026-01-01T00:00:04Z")).isEmpty();
	}

	@Test
	default void readsTheNewestOfTheEventsStampedAtATimeOrLater() {
		SessionName name = stampedSession();
		assertThat(idsIn(name, 2, "2026-01-01T00:00:01Z")).containsExactly("e2", "e3");
		assertThat(idsIn(name, 2, "2026-01-01T00:00:02Z")).containsExactly("e1", "e3");
	}

	@Test
	default void readsEventsFromASeqOn() {
		SessionName name = stampedSession();
		assertThat(seqs(name, window(null, null, 1))).containsExactly(1L, 2L, 3L);
		assertThat(seqs(name, window(null, null, 2))).containsExactly(2L, 3L);
		assertThat(seqs(name, window(null, null, 3))).containsExactly(3L);
		assertThat(seqs(name, window(null, null, 4))).isEmpty();
		assertThat(seqs(name, window(null, null, Long.MAX_VALUE))).isEmpty();
	}

	@Test
	default void readsTheNewestOfTheEventsFromASeqOn() {
		SessionName name = stampedSession();
		assertThat(seqs(name, window(2, null, 1))).containsExactly(2L, 3L);
		assertThat(seqs(name, window(2, null, 3))).containsExactly(3L);
		assertThat(seqs(name, window(0, null, 2))).isEmpty();
		assertThat(seqs(name, window(null, "2026-01-01T00:00:02Z", 2))).containsExactly(3L);
		assertThat(seqs(name, window(2, "2026-01-01T00:00:02Z", 1))).containsExactly(1L, 3L);
		assertThat(seqs(name, window(2, "2026-01-01T00:00:02Z", 2))).containsExactly(3L);
		assertThat(seqs(name, window(2, "2026-01-01T00:00:04Z", 2))).isEmpty();
	}

	private static EventWindow window(@Nullable Integer recent, @Nullable String since, long fromSeq) {
		return new EventWindow(recent, (since != null) ? Instant.parse(since) : null, HistoryView.FULL, fromSeq);
	}

	@Test
	default void readsStateAndRevisionWhateverTheWindow() {
		SessionName name = newSession();
		store(name, Events.delta("{\"a\":1}"));
		store(name, Events.delta("{\"app:b\":2}"));
		Session session = store().find(name, EventWindow.NONE).orElseThrow();
		assertThat(session.revision()).isEqualTo(2);
		assertThat(session.state()).isEqualTo(Sessions.state("{\"a\":1,\"app:b\":2}"));
	}

	private SessionName stampedSession() {
		SessionName name = newSession();
		store(name, Events.event("{\"id\":\"e1\",\"timestamp\":\"2026-01-01T00:00:02Z\"}"));
		store(name, Events.event("{\"id\":\"e2\",\"timestamp\":\"2026-01-01T00:00:01Z\"}"));
		store(name, Events.event("{\"id\":\"e3\",\"timestamp\":\"2026-01-01T00:00:03Z\"}"));
		return name;
	}

	private List<String> idsIn(SessionName name, @Nullable Integer recent, @Nullable String since) {
		EventWindow window = new EventWindow(recent, (since != null) ? Instant.parse(since) : null);
		return store().find(name, window).orElseThrow().events().toList().stream().map(Event::id).toList();
	}

	@Test
	default void readsALongHistoryInPieces() {
		SessionName name = newSession();
		String text = "x".repeat(40_000);
		List<NewEvent> events = IntStream.rangeClosed(1, 60)
			.mapToObj((n) -> Events.event("{\"id\":\"e%d\",\"timestamp\":%d,\"filler\":\"%s\"}".formatted(n, n, text)))
			.toList();
		store().appendAll(name, events, Precondition.NONE);
		assertThat(seqs(name, EventWindow.ALL))
			.containsExactlyElementsOf(LongStream.rangeClosed(1, 60).boxed().toList());
		assertThat(seqs(name, new EventWindow(50, null))).hasSize(50).startsWith(11L).endsWith(60L);
		assertThat(seqs(name, window(null, null, 7))).hasSize(54).startsWith(7L).endsWith(60L);
		assertThat(seqs(name, new EventWindow(50, Instant.ofEpochSecond(5)))).hasSize(50).startsWith(11L);
		assertThat(seqs(name, new EventWindow(null, Instant.ofEpochSecond(5)))).hasSize(56)
			.startsWith(5L)
			.endsWith(60L);
	}

	@Test
	default void readsTheSameHistoryWhateverIsAppendedMeanwhile() {
		SessionName name = newSession();
		String text = "x".repeat(600_000);
		for (int number = 1; number <= 5; number++) {
			store(name, Events.event("{\"id\":\"e%d\",\"filler\":\"%s\"}".formatted(number, text)));
		}
		EventStream history = store().find(name, EventWindow.ALL).orElseThrow().events();
		store(name, Events.id("e6"));
		assertThat(history).extracting(Event::seq).containsExactly(1L, 2L, 3L, 4L, 5L);
	}

	private List<Long> seqs(SessionName name, EventWindow window) {
		return store().find(name, window).orElseThrow().events().toList().stream().map(Event::seq).toList();
	}

}
