package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.NewEvent;

/** JSON comes back character by character, in events and in state. */
class FidelityTests extends PostgresStoreTest {

	private static final EventQuery ALL = EventQuery.of(false, 10);

	private static final int TEN_MEGABYTES = 10 * 1024 * 1024;

	static Stream<String> values() {
		return Stream.of("\"a\\u0000b\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\u00e9\\/\\\"\"",
				"9223372036854775808", "1e400", "-0", "0.0", "1.000", "1E5", "0." + "123456789".repeat(22),
				"1" + "0".repeat(200), "{\"b\":1,\"a\":{\"d\":2,\"c\":[{\"f\":3,\"e\":null}]}}", "[ 1 , [ ] , { } ]",
				"\"\"", "true", "\"\ud83d\ude00 \u4f1a\u8bdd \u0645\u0631\u062d\u0628\u0627\"",
				"{\"\":1,\"a.b\":2,\"\\u0000\":3}");
	}

	@ParameterizedTest
	@MethodSource("values")
	void keepsEvents(String value) {
		SessionName name = newSession();
		NewEvent sent = Events.event("""
				{"id":"e1","author":"agent","unknown":%1$s,"content":{"parts":[{"unknown":{"unknown":%1$s}}]}}"""
			.formatted(value));
		assertThat(sent.body().text()).contains("\"unknown\":" + value + ",")
			.contains("\"content\":{\"parts\":[{\"unknown\":{\"unknown\":" + value + "}}]}");
		assertIsStored(sent, name);
	}

	@ParameterizedTest
	@MethodSource("values")
	void keepsState(String value) {
		SessionName name = newSession();
		store(name, Events.delta("{\"a\":%1$s,\"user:b\":%1$s,\"app:c\":%1$s}".formatted(value)));
		assertThat(stateOf(name).values()).hasSize(3).containsOnly(new JsonText(value));
		SessionName sibling = Sessions.sibling(name, "s2");
		this.store.create(Sessions.with(sibling, "{\"d\":" + value + "}"));
		assertThat(stateOf(sibling).values()).hasSize(3).containsOnly(new JsonText(value));
		this.store.changeState(name.app(), Sessions.state("{\"e\":" + value + "}"));
		assertThat(this.store.state(name.app()).values()).hasSize(2).containsOnly(new JsonText(value));
	}

	@Test
	void keepsAnEventOfTenMegabytes() {
		SessionName name = newSession();
		NewEvent sent = Events.event("{\"id\":\"e1\",\"content\":{\"text\":\"" + "x".repeat(TEN_MEGABYTES) + "\"}}");
		assertThat(sent.body().text()).hasSizeGreaterThan(TEN_MEGABYTES);
		assertIsStored(sent, name);
	}

	@Test
	void keepsFirstEvents() {
		SessionName name = Sessions.newKey();
		String event = "{\"id\":\"e1\",\"timestamp\":1.50,\"x\":[1e400 , \"\\u0000\"]}";
		this.store.create(Sessions.with(name, "{}", event));
		assertThat(read(name).events().toList().get(0).body()).isEqualTo(Events.event(event).body());
	}

	@Test
	void keepsKeysOfAnyCharacters() {
		SessionName name = newSession();
		String state = "{\" \":1,\"\":2,\"user:\":3,\"a'b\\\"c\\\\d\":4,\"{x,y}\":5,\"\ud83d\ude00\":6,\"NULL\":7,\"a\\nb\":8}";
		store(name, Events.delta(state));
		assertThat(stateOf(name)).isEqualTo(Sessions.state(state));
	}

	private void assertIsStored(NewEvent sent, SessionName name) {
		Event stored = store(name, sent);
		assertThat(stored.body().equals(sent.body())).isTrue();
		assertThat(read(name).events().toList().equals(this.store.events(name, ALL).orElseThrow().items())).isTrue();
		assertThat(read(name).events().toList().get(0).body().equals(sent.body())).isTrue();
		assertThat(this.store.event(name, sent.id()).orElseThrow().equals(stored)).isTrue();
		AppendResult replay = this.store.append(name, Events.append(sent));
		assertThat(replay.replayed()).isTrue();
		assertThat(replay.event().equals(stored.body())).isTrue();
	}

}
