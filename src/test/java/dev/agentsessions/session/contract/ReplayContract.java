package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendResult;

/** Appending an event whose id is in the session already. */
interface ReplayContract extends StoreUnderTest {

	@Test
	default void answersTheSameEventAgain() {
		SessionKey key = newSession();
		String event = "{\"id\":\"e1\",\"timestamp\":1,\"actions\":{\"stateDelta\":{\"app:a\":1}}}";
		Event stored = store(key, Events.event(event));
		Session before = read(key);
		assertThat(append(key, event)).isEqualTo(replay(key, stored));
		assertThat(read(key)).usingRecursiveComparison().isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 2, 7 })
	default void answersTheSameEventAgainWhateverThePrecondition(long revision) {
		SessionKey key = newSession();
		Event stored = store(key, Events.id("e1"));
		store(key, Events.id("e2"));
		assertThat(store().append(key, Events.append(Events.id("e1"), revision))).isEqualTo(replay(key, stored));
		assertThat(read(key).revision()).isEqualTo(2);
	}

	@Test
	default void doesNotApplyADeltaTwice() {
		SessionKey key = newSession();
		String event = "{\"id\":\"e1\",\"timestamp\":1,\"actions\":{\"stateDelta\":{\"a\":1,\"app:b\":1}}}";
		store(key, Events.event(event));
		store(key, Events.delta("{\"a\":2,\"app:b\":2}"));
		append(key, event);
		assertThat(stateOf(key)).isEqualTo(Sessions.state("{\"a\":2,\"app:b\":2}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"x\":1,\"y\":[2]}}",
			"{ \"content\" : {\"y\":[2], \"x\":1}, \"id\":\"e1\", \"author\":\"a\" }",
			"{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"x\":1,\"y\":[2]},\"invocation_id\":\"\"}",
			"{\"id\":\"e1\",\"author\":\"\\u0061\",\"content\":{\"x\":1,\"y\":[2]}}" })
	default void recognizesTheSameContentInOtherWords(String event) {
		SessionKey key = newSession();
		Event stored = store(key, Events.event("{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"x\":1,\"y\":[2]}}"));
		assertThat(append(key, event)).isEqualTo(replay(key, stored));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"id\":\"e1\",\"author\":\"b\",\"timestamp\":1}",
			"{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":2}",
			"{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1,\"extra\":1}",
			"{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1,\"actions\":{\"stateDelta\":{\"a\":1,\"app:b\":1}}}" })
	default void refusesOtherContentAndChangesNothing(String event) {
		SessionKey key = newSession();
		store(key, Events.event("{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1}"));
		Session before = read(key);
		assertConflict("e1", () -> append(key, event));
		assertConflict("e1", () -> store().append(key, Events.append(Events.event(event), 0)));
		assertConflict("e1", () -> store().append(key, Events.append(Events.event(event), 1)));
		assertThat(read(key)).usingRecursiveComparison().isEqualTo(before);
	}

	@Test
	default void answersTheSameEventAgainWithNumbersOfAnyLength() {
		SessionKey key = newSession();
		String event = "{\"id\":\"e1\",\"custom\":[1e400,1" + "0".repeat(900) + ",0.1e-99999]}";
		Event stored = store(key, Events.event(event));
		assertThat(append(key, event)).isEqualTo(replay(key, stored));
	}

	@Test
	default void recognizesAFirstEvent() {
		SessionKey key = Sessions.newKey();
		Session session = store().create(Sessions.with(key, "{}", "{\"id\":\"e1\"}"));
		assertThat(append(key, "{\"id\":\"e1\"}")).isEqualTo(replay(key, session.events().toList().get(0)));
	}

	@Test
	default void acceptsAnIdThatIsInAnotherSession() {
		SessionKey key = newSession();
		SessionKey sibling = Sessions.sibling(key, "s2");
		store().create(Sessions.empty(sibling));
		store(key, Events.event("{\"id\":\"e1\",\"author\":\"a\"}"));
		assertThat(store(sibling, Events.event("{\"id\":\"e1\",\"author\":\"b\"}")).seq()).isEqualTo(1);
	}

	private AppendResult append(SessionKey key, String event) {
		return store().append(key, Events.append(Events.event(event)));
	}

}
