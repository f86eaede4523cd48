package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Appending an event: what becomes of the state. */
interface AppendStateContract extends StoreUnderTest {

	@Test
	default void changesStateOfEachScope() {
		SessionName name = newSession();
		SessionName sibling = Sessions.sibling(name, "s2");
		SessionName stranger = Sessions.ofUser(name, "bob");
		store().create(Sessions.empty(sibling));
		store().create(Sessions.empty(stranger));
		store(name, Events.delta("{\"a\":1,\"user:b\":2,\"app:c\":3}"));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"a\":1,\"user:b\":2,\"app:c\":3}"));
		assertThat(stateOf(sibling)).isEqualTo(Sessions.state("{\"user:b\":2,\"app:c\":3}"));
		assertThat(stateOf(stranger)).isEqualTo(Sessions.state("{\"app:c\":3}"));
	}

	@Test
	default void neverStoresTemporaryState() {
		SessionName name = newSession();
		Event event = store(name, Events.delta("{\"temp:a\":1,\"b\":2}"));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"b\":2}"));
		assertThat(event.body().text()).contains("{\"b\":2}").doesNotContain("temp:");
	}

	@Test
	default void replacesValuesWhole() {
		SessionName name = newSession();
		store(name, Events.delta("{\"a\":{\"x\":1,\"y\":2},\"b\":1}"));
		store(name, Events.delta("{\"a\":{\"x\":3}}"));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"a\":{\"x\":3},\"b\":1}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "user:a", "app:a" })
	default void keepsNullAsAValue(String name) {
		SessionName session = newSession();
		store(session, Events.delta("{\"%s\":1,\"b\":2}".formatted(name)));
		Event event = store(session, Events.delta("{\"%s\": null }".formatted(name)));
		assertThat(stateOf(session)).isEqualTo(Sessions.state("{\"%s\":null,\"b\":2}".formatted(name)));
		assertThat(event.body().text()).contains("{\"%s\":null}".formatted(name));
		SessionQuery all = SessionQuery.of(session.user(), Order.USER, false, 10, ListContract.EVERY, true);
		assertThat(store().list(all).items()).extracting(Session::state).contains(stateOf(session));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "user:a", "app:a" })
	default void removesKeys(String name) {
		SessionName session = newSession();
		store(session, Events.delta("{\"%s\":1,\"b\":2}".formatted(name)));
		Event removal = store(session, Events.delta("{\"%s\":%s}".formatted(name, Events.REMOVED)));
		assertThat(stateOf(session)).isEqualTo(Sessions.state("{\"b\":2}"));
		assertThat(removal.body().text()).contains("{\"%s\":%s}".formatted(name, Events.REMOVED));
		store(session, Events.delta("{\"%s\":%s}".formatted(name, Events.REMOVED.replace("_", "\\u005f"))));
		assertThat(stateOf(session)).isEqualTo(Sessions.state("{\"b\":2}"));
	}

	@Test
	default void setsAndRemovesInOneDelta() {
		SessionName name = newSession();
		store(name, Events.delta("{\"a\":1,\"app:b\":1,\"f\":1}"));
		store(name, Events.delta("{\"a\":%1$s,\"app:b\":%1$s,\"c\":1,\"app:d\":1,\"user:e\":%1$s,\"f\":null}"
			.formatted(Events.REMOVED)));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"c\":1,\"app:d\":1,\"f\":null}"));
	}

	@Test
	default void keepsNullsAndMarksInsideValues() {
		SessionName name = newSession();
		store(name, Events.delta("{\"a\":{\"x\":null},\"app:b\":[null,%s]}".formatted(Events.REMOVED)));
		assertThat(stateOf(name))
			.isEqualTo(Sessions.state("{\"a\":{\"x\":null},\"app:b\":[null,%s]}".formatted(Events.REMOVED)));
	}

	@Test
	default void tellsKeysOfDifferentScopesApart() {
		SessionName name = newSession();
		store(name,
				Events.delta("{\"a\":1,\"user:a\":2,\"app:a\":3,\"APP:a\":4,\"app\":5,\"app:user:a\":6,\"user:\":7}"));
		assertThat(stateOf(name)).isEqualTo(Sessions
			.state("{\"a\":1,\"user:a\":2,\"app:a\":3,\"APP:a\":4,\"app\":5,\"app:user:a\":6,\"user:\":7}"));
	}

	@Test
	default void leavesStateAloneWithoutDelta() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, "{\"a\":1}"));
		store(name, Events.id("e1"));
		store(name, Events.delta("{}"));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"a\":1}"));
	}

	@Test
	default void setsManyKeysAtOnce() {
		SessionName name = newSession();
		StringBuilder delta = new StringBuilder("{\"k0\":0");
		for (int number = 1; number < 1000; number++) {
			delta.append(",\"%sk%d\":%d".formatted((number % 2 == 0) ? "app:" : "", number, number));
		}
		String json = delta.append('}').toString();
		store(name, Events.delta(json));
		assertThat(stateOf(name)).isEqualTo(Sessions.state(json));
	}

}
