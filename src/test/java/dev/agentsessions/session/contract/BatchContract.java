package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.NewEvent;

/** Appending many events, all or none. */
interface BatchContract extends StoreUnderTest {

	@Test
	default void storesAllInTheirOrder() {
		SessionName name = newSession();
		List<NewEvent> events = IntStream.rangeClosed(1, 100).mapToObj((n) -> Events.id("e" + n)).toList();
		List<Event> stored = stored(name, events);
		assertThat(stored).extracting(Event::seq)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
		assertThat(stored).extracting(Event::commitTime).isSorted().doesNotHaveDuplicates();
		Session session = read(name);
		assertThat(session.events()).containsExactlyElementsOf(stored);
		assertThat(session.revision()).isEqualTo(100);
		assertThat(session.lastUpdateTime()).isEqualTo(stored.get(99).commitTime());
	}

	@Test
	default void appliesTheDeltasOneAfterTheOther() {
		SessionName name = newSession();
		stored(name,
				List.of(Events.delta("{\"a\":1,\"b\":1,\"app:c\":1,\"user:d\":1}"),
						Events.delta("{\"a\":2,\"b\":" + Events.REMOVED + ",\"app:c\":" + Events.REMOVED + ",\"gone\":"
								+ Events.REMOVED + "}"),
						Events.delta("{\"b\":3,\"user:d\":" + Events.REMOVED + "}"),
						Events.delta("{\"a\":" + Events.REMOVED + ",\"user:d\":4}")));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"b\":3,\"user:d\":4}"));
	}

	@Test
	default void refusesAllAtAStaleRevision() {
		SessionName name = newSession();
		store(name, Events.id("e1"));
		Session before = read(name);
		List<NewEvent> late = List.of(Events.id("e2"), Events.delta("{\"app:a\":1}"));
		assertStale(before, 0, () -> store().appendAll(name, late, new Precondition(0L, null)));
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(before);
	}

	@Test
	default void storesAllAtTheRightRevision() {
		SessionName name = newSession();
		store(name, Events.id("e1"));
		assertThat(store().appendAll(name, List.of(Events.id("e2"), Events.id("e3")), new Precondition(1L, null))
			.replayed()).isFalse();
		assertThat(read(name).revision()).isEqualTo(3);
	}

	@Test
	default void answersTheSameBatchAgainWhateverThePrecondition() {
		SessionName name = newSession();
		List<NewEvent> events = List.of(Events.id("e1"), Events.id("e2"));
		List<Event> stored = stored(name, events);
		store(name, Events.id("e3"));
		assertThat(store().appendAll(name, events, new Precondition(0L, null)))
			.isEqualTo(new BatchAppendResult(stored.stream().map(Event::body).toList(), List.of(1L, 2L),
					read(name).version().at(2, stored.get(1).commitTime()), true));
		assertThat(read(name).revision()).isEqualTo(3);
	}

	@Test
	default void storesOnlyTheEventsThatAreNew() {
		SessionName name = newSession();
		Event first = store(name, Events.id("e1"));
		List<Event> stored = stored(name, List.of(Events.id("e0"), Events.id("e1"), Events.id("e2")));
		assertThat(stored).extracting(Event::seq).containsExactly(2L, 1L, 3L);
		assertThat(stored.get(1)).isEqualTo(first);
	}

	@Test
	default void refusesAllIfOneIdIsTakenByOtherContent() {
		SessionName name = newSession();
		store(name, Events.event("{\"id\":\"e1\",\"author\":\"other\"}"));
		Session before = read(name);
		assertConflict("e1",
				() -> store().appendAll(name, List.of(Events.id("e0"), Events.id("e1")), Precondition.NONE));
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(before);
	}

	@Test
	default void findsNoSessionForABatch() {
		assertNotFound(() -> store().appendAll(Sessions.newKey(), List.of(Events.id("e1")), Precondition.NONE));
	}

	/** Appends events of which some at least are new, and reads them one by one. */
	private List<Event> stored(SessionName name, List<NewEvent> events) {
		BatchAppendResult result = store().appendAll(name, events, Precondition.NONE);
		List<Event> stored = events.stream().map((event) -> store().event(name, event.id()).orElseThrow()).toList();
		Session session = read(name);
		assertThat(result).isEqualTo(new BatchAppendResult(stored.stream().map(Event::body).toList(),
				stored.stream().map(Event::seq).toList(), session.version(), false));
		return stored;
	}

}
