package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionKey;
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
		SessionKey key = newSession();
		NewEvent sent = Events.event("""
				{"id":"e1","author":"agent","unknown":%1$s,"content":{"parts":[{"unknown":{"unknown":%1$s}}]}}"""
			.formatted(value));
		assertThat(sent.body().text()).contains("\"unknown\":" + value + ",")
			.contains("\"content\":{\"parts\":[{\"unknown\":{\"unknown\":" + value + "}}]}");
		assertIsStored(sent, key);
	}

	@ParameterizedTest
	@MethodSource("values")
	void keepsState(String value) {
		SessionKey key = newSession();
		store(key, Events.delta("{\"a\":%1$s,\"user:b\":%1$s,\"app:c\":%1$s}".formatted(value)));
		assertThat(stateOf(key).values()).hasSize(3).containsOnly(new JsonText(value));
		SessionKey sibling = Sessions.sibling(key, "s2");
		this.store.create(Sessions.with(sibling, "{\"d\":" + value + "}"));
		assertThat(stateOf(sibling).values()).hasSize(3).containsOnly(new JsonText(value));
		this.store.changeState(key.app(), Sessions.state("{\"e\":" + value + "}"));
		assertThat(this.store.state(key.app()).values()).hasSize(2).containsOnly(new JsonText(value));
	}

	@Test
	void keepsAnEventOfTenMegabytes() {
		SessionKey key = newSession();
		NewEvent sent = Events.event("{\"id\":\"e1\",\"content\":{\"text\":\"" + "x".repeat(TEN_MEGABYTES) + "\"}}");
		assertThat(sent.body().text()).hasSizeGreaterThan(TEN_MEGABYTES);
		assertIsStored(sent, key);
	}

	@Test
	void keepsFirstEvents() {
		SessionKey key = Sessions.newKey();
		String event = "{\"id\":\"e1\",\"timestamp\":1.50,\"x\":[1e400 , \"\\u0000\"]}";
		this.store.create(Sessions.with(key, "{}", event));
		assertThat(read(key).events().toList().get(0).body()).isEqualTo(Events.event(event).body());
	}

	@Test
	void keepsKeysOfAnyCharacters() {
		SessionKey key = newSession();
		String state = "{\" \":1,\"\":2,\"user:\":3,\"a'b\\\"c\\\\d\":4,\"{x,y}\":5,\"\ud83d\ude00\":6,\"NULL\":7,\"a\\nb\":8}";
		store(key, Events.delta(state));
		assertThat(stateOf(key)).isEqualTo(Sessions.state(state));
	}

	private void assertIsStored(NewEvent sent, SessionKey key) {
		Event stored = store(key, sent);
		assertThat(stored.body().equals(sent.body())).isTrue();
		assertThat(read(key).events().toList().equals(this.store.events(key, ALL).orElseThrow().items())).isTrue();
		assertThat(read(key).events().toList().get(0).body().equals(sent.body())).isTrue();
		assertThat(this.store.event(key, sent.id()).orElseThrow().equals(stored)).isTrue();
		AppendResult replay = this.store.append(key, Events.append(sent));
		assertThat(replay.replayed()).isTrue();
		assertThat(replay.event().equals(stored.body())).isTrue();
	}

}
