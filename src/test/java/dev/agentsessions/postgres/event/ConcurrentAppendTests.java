package dev.agentsessions.postgres.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.Deadlocks;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.StoreUnderTest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;

/** Many who append to one session, or change one state, at once. */
class ConcurrentAppendTests extends PostgresStoreTest {

	@Test
	void losesNothingOfFortyWritersOfOneSession() throws Exception {
		SessionName name = newSession();
		List<Event> stored = Concurrently.run(40,
				(number) -> store(name, Events.delta("{\"k%1$d\":%1$d,\"user:k%1$d\":%1$d}".formatted(number))));
		Session session = read(name);
		assertThat(session.revision()).isEqualTo(40);
		assertThat(session.events()).extracting(Event::seq)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, 40).boxed().toList());
		assertThat(session.events()).containsExactlyInAnyOrderElementsOf(stored);
		assertThat(session.events()).extracting(Event::commitTime).isSorted().doesNotHaveDuplicates();
		assertThat(session.lastUpdateTime()).isEqualTo(session.events().toList().get(39).commitTime());
		assertThat(session.state()).hasSize(80);
	}

	@Test
	void leavesTheStateThatTheLastEventMade() throws Exception {
		SessionName name = newSession();
		Concurrently.run(20, (number) -> store(name, Events.delta("{\"a\":%1$d,\"app:b\":%1$d}".formatted(number))));
		Event last = read(name).events().toList().get(19);
		JsonText value = stateOf(name).get("a");
		assertThat(last.body().text()).contains("\"a\":" + value + ",");
		assertThat(stateOf(name)).containsEntry("app:b", value);
	}

	@RepeatedTest(3)
	void letsOneOfEightWritersWithOnePreconditionWin() throws Exception {
		SessionName name = newSession();
		storeMany(name, 3);
		Precondition same = new Precondition(3L, read(name).lastUpdateTime());
		List<Object> outcomes = Concurrently.run(8, (number) -> StoreUnderTest
			.outcome(() -> store().append(name, new AppendRequest(Events.delta("{\"a\":" + number + "}"), same))));
		assertThat(outcomes).filteredOn(AppendResult.class::isInstance).hasSize(1);
		Session session = read(name);
		assertThat(outcomes).filteredOn((outcome) -> !(outcome instanceof AppendResult))
			.hasSize(7)
			.allSatisfy((outcome) -> assertStale(session, 3, () -> {
				throw (SessionException) outcome;
			}));
		assertThat(read(name).events()).hasSize(4);
	}

	@RepeatedTest(3)
	void storesOneEventOfManyWithTheSameId() throws Exception {
		SessionName name = newSession();
		List<AppendResult> results = Concurrently.run(8,
				(number) -> store().append(name, Events.append(Events.event("{\"id\":\"e1\",\"timestamp\":1}"))));
		Event event = read(name).events().toList().get(0);
		AppendResult replay = replay(name, event);
		AppendResult stored = new AppendResult(replay.event(), replay.version(), true, false);
		assertThat(results).containsOnlyOnce(stored).containsOnly(stored, replay);
		assertThat(read(name).revision()).isEqualTo(1);
	}

	@Test
	void refusesAllButOneOfManyContentsWithOneId() throws Exception {
		SessionName name = newSession();
		List<Object> outcomes = Concurrently.run(8, (number) -> StoreUnderTest.outcome(() -> store().append(name, Events
			.append(Events.event("{\"id\":\"e1\",\"actions\":{\"stateDelta\":{\"app:a\":%d}}}".formatted(number))))));
		assertThat(outcomes).filteredOn(AppendResult.class::isInstance).hasSize(1);
		assertThat(outcomes).filteredOn(SessionException.EventIdConflict.class::isInstance).hasSize(7);
		assertThat(read(name).revision()).isEqualTo(1);
	}

	@Test
	void losesNoKeyOfAnAppThatSixteenSessionsChange() throws Exception {
		SessionName name = Sessions.newKey();
		Concurrently.run(16, (number) -> raise(Sessions.sibling(name, "s" + number), number));
		Map<String, JsonText> state = store().state(name.app());
		assertThat(state).hasSize(16);
		assertThat(state.values()).containsOnly(new JsonText("10"));
	}

	private Session raise(SessionName name, int number) {
		store().create(Sessions.empty(name));
		IntStream.rangeClosed(1, 10)
			.forEach((value) -> store(name, Events.delta("{\"app:counter%d\":%d}".formatted(number, value))));
		return read(name);
	}

	@Test
	void setsAndRemovesTheSameKeysOfAnAppWithoutDeadlock() throws Exception {
		SessionName name = Sessions.newKey();
		long deadlocks = Deadlocks.count(this.jdbc);
		Concurrently.run(12, (number) -> setAndRemove(Sessions.sibling(name, "s" + number), number));
		assertThat(Deadlocks.count(this.jdbc)).isEqualTo(deadlocks);
		assertThat(store().state(name.app())).isEmpty();
		assertThat(store().state(name.user())).isEmpty();
	}

	/** Half of the writers name the keys in the opposite order. */
	private Session setAndRemove(SessionName name, int number) {
		String set = (number % 2 == 0) ? "{\"app:a\":1,\"app:b\":1,\"user:c\":1}"
				: "{\"user:c\":2,\"app:b\":2,\"app:a\":2}";
		String removed = (number % 2 == 0)
				? "{\"user:c\":" + Events.REMOVED + ",\"app:b\":" + Events.REMOVED + ",\"app:a\":" + Events.REMOVED
						+ "}"
				: "{\"app:a\":" + Events.REMOVED + ",\"app:b\":" + Events.REMOVED + ",\"user:c\":" + Events.REMOVED
						+ "}";
		store().create(Sessions.empty(name));
		for (int round = 0; round < 10; round++) {
			store(name, Events.delta(set));
			store().changeState(name.app(), Sessions.state("{\"b\":3,\"a\":" + Events.REMOVED + "}"));
			store(name, Events.delta(removed));
		}
		store().changeState(name.app(), Sessions.state("{\"b\":" + Events.REMOVED + ",\"a\":" + Events.REMOVED + "}"));
		return read(name);
	}

}
