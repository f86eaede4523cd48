package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.AppendResult;

/** Appending an event whose id is in the session already. */
interface ReplayContract extends StoreUnderTest {

	@Test
	default void answersTheSameEventAgain() {
		SessionName name = newSession();
		String event = "{\"id\":\"e1\",\"timestamp\":1,\"actions\":{\"stateDelta\":{\"app:a\":1}}}";
		Event stored = store(name, Events.event(event));
		Session before = read(name);
		assertThat(append(name, event)).isEqualTo(replay(name, stored));
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 2, 7 })
	default void answersTheSameEventAgainWhateverThePrecondition(long revision) {
		SessionName name = newSession();
		Event stored = store(name, Events.id("e1"));
		store(name, Events.id("e2"));
		assertThat(store().append(name, Events.append(Events.id("e1"), revision))).isEqualTo(replay(name, stored));
		assertThat(read(name).revision()).isEqualTo(2);
	}

	@Test
	default void doesNotApplyADeltaTwice() {
		SessionName name = newSession();
		String event = "{\"id\":\"e1\",\"timestamp\":1,\"actions\":{\"stateDelta\":{\"a\":1,\"app:b\":1}}}";
		store(name, Events.event(event));
		store(name, Events.delta("{\"a\":2,\"app:b\":2}"));
		append(name, event);
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"a\":2,\"app:b\":2}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"x\":1,\"y\":[2]}}",
			"{ \"content\" : {\"y\":[2], \"x\":1}, \"id\":\"e1\", \"author\":\"a\" }",
			"{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"x\":1,\"y\":[2]},\"invocation_id\":\"\"}",
			"{\"id\":\"e1\",\"author\":\"\\u0061\",\"content\":{\"x\":1,\"y\":[2]}}" })
	default void recognizesTheSameContentInOtherWords(String event) {
		SessionName name = newSession();
		Event stored = store(name, Events.event("{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"x\":1,\"y\":[2]}}"));
		assertThat(append(name, event)).isEqualTo(replay(name, stored));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"id\":\"e1\",\"author\":\"b\",\"timestamp\":1}",
			"{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":2}",
			"{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1,\"extra\":1}",
			"{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1,\"actions\":{\"stateDelta\":{\"a\":1,\"app:b\":1}}}" })
	default void refusesOtherContentAndChangesNothing(String event) {
		SessionName name = newSession();
		store(name, Events.event("{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1}"));
		Session before = read(name);
		assertConflict("e1", () -> append(name, event));
		assertConflict("e1", () -> store().append(name, Events.append(Events.event(event), 0)));
		assertConflict("e1", () -> store().append(name, Events.append(Events.event(event), 1)));
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(before);
	}

	@Test
	default void answersTheSameEventAgainWithNumbersOfAnyLength() {
		SessionName name = newSession();
		String event = "{\"id\":\"e1\",\"custom\":[1e400,1" + "0".repeat(900) + ",0.1e-99999]}";
		Event stored = store(name, Events.event(event));
		assertThat(append(name, event)).isEqualTo(replay(name, stored));
	}

	@Test
	default void recognizesAFirstEvent() {
		SessionName name = Sessions.newKey();
		Session session = store().create(Sessions.with(name, "{}", "{\"id\":\"e1\"}"));
		assertThat(append(name, "{\"id\":\"e1\"}")).isEqualTo(replay(name, session.events().toList().get(0)));
	}

	@Test
	default void acceptsAnIdThatIsInAnotherSession() {
		SessionName name = newSession();
		SessionName sibling = Sessions.sibling(name, "s2");
		store().create(Sessions.empty(sibling));
		store(name, Events.event("{\"id\":\"e1\",\"author\":\"a\"}"));
		assertThat(store(sibling, Events.event("{\"id\":\"e1\",\"author\":\"b\"}")).seq()).isEqualTo(1);
	}

	private AppendResult append(SessionName name, String event) {
		return store().append(name, Events.append(Events.event(event)));
	}

}
