package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.PastSession;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/** The state after an event is what the initial state and the events until then make. */
class PastStateTests extends PostgresStoreTest {

	private static final List<String> KEYS = List.of("a", "", "user:u", "app:a", "a\\b", "a\\\\b", "\\u0041", "A",
			"a\"b", "a\nb\t", "\u0001", "\u0001\\", "\ud83d\ude00", "{}", "'", "?", "User:x");

	private static final int MANY_KEYS = 1000;

	private static final List<String> VALUES = List.of("null", "1", "1e400", "-0.00", "\"\"", "\"\\u0000\"",
			"\"\\\\u0000\"", "\"\\\\\\u0000\\\\\"", "\"\\ud800\"", "\"a\\\"\\\\\"", "{\"\\u0000\":[1 , {}]}",
			"\"\\n\\/\u00e9\"", Events.REMOVED, Events.REMOVED, "\"\\u005f_ADK_SENTINEL_REMOVED__\"",
			"{\"actions\":{\"stateDelta\":{\"a\":0}}}", "[" + "9".repeat(300) + "]",
			"\"" + "x\\\\".repeat(2000) + "\"");

	@Autowired
	private HistoryService.Store past;

	@Autowired
	private JdbcConnectionDetails server;

	@Test
	void stateAtSeqEqualsFoldOfEvents() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		SessionName name = Sessions.newKey();
		Map<String, JsonText> initial = random(random, false);
		List<NewEvent> events = new ArrayList<>();
		for (int number = 0; number < 60; number++) {
			events.add(event(random, number));
		}
		this.store.create(new CreateSession(name, new StateDelta(initial), events.subList(0, 5), SessionDetails.NONE));
		this.store.append(name, Events.append(events.get(5)));
		this.store.appendAll(name, events.subList(6, 60), Precondition.NONE);
		Map<String, JsonText> expected = new TreeMap<>(initial);
		expected.keySet().removeIf(PastStateTests::isShared);
		for (long seq = 0; seq <= 60; seq++) {
			if (seq > 0) {
				expected.putAll(events.get((int) seq - 1).delta().changes());
				expected.values().removeIf(RemovalMarker::is);
			}
			assertThat(new TreeMap<>(at(name, seq).session().state())).as("seed %d, seq %d", seed, seq)
				.isEqualTo(expected);
		}
		assertThat(new TreeMap<>(at(name, 60).ownState())).isEqualTo(ownStateOf(name));
	}

	@Test
	void stateNamesEventThatSetEachKey() {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.with(name, "{\"a\":1,\"b\":1,\"user:u\":1}"));
		store(name, Events
			.event("{\"id\":\"e1\",\"author\":\"x\",\"timestamp\":5.25,\"actions\":{\"stateDelta\":{\"a\":2}}}"));
		store(name, Events.delta("{\"c\":1}"));
		store(name, Events.delta("{\"c\":1,\"b\":" + Events.REMOVED + ",\"user:u\":1}"));
		assertThat(at(name, 0).sources()).isEmpty();
		assertThat(at(name, 1).sources()).containsOnlyKeys("a").hasEntrySatisfying("a", (source) -> {
			assertThat(source.seq()).isEqualTo(1);
			assertThat(source.eventId()).isEqualTo("e1");
			assertThat(source.author()).isEqualTo("x");
			assertThat(source.time()).isEqualTo("1970-01-01T00:00:05.250Z");
		});
		assertThat(seqs(at(name, 2))).isEqualTo(Map.of("a", 1L, "c", 2L));
		assertThat(seqs(at(name, 3))).isEqualTo(Map.of("a", 1L, "c", 3L, "user:u", 3L));
	}

	@Test
	void largeValuesAreReturned() {
		SessionName name = newSession();
		String large = "\"" + "x".repeat(3 << 20) + "\"";
		store(name, Events.delta("{\"a\":" + large + ",\"b\":1}"));
		assertThat(at(name, 1).session().state()).isEqualTo(Sessions.state("{\"a\":" + large + ",\"b\":1}"));
	}

	/**
	 * A delta may have a million keys. The query must not compare each of them with each.
	 */
	@Test
	void rowsOfQueryGrowWithKeysAndNotWithTheirSquare() {
		SessionName name = newSession();
		store(name,
				Events.delta(IntStream.range(0, MANY_KEYS)
					.mapToObj((number) -> "\"k%d\":%d".formatted(number, number))
					.collect(Collectors.joining(",", "{", "}"))));
		QueryPlans plans = new QueryPlans(this.jdbc, this.server);
		assertThat(plans.rowsProcessed(() -> assertThat(at(name, 1).session().state()).hasSize(MANY_KEYS)))
			.isBetween((long) MANY_KEYS, 30L * MANY_KEYS);
	}

	@Test
	void stateAtMissingSeqIsRefused() {
		SessionName name = newSession();
		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(() -> at(name, 1))
			.withMessageContaining("atSeq");
		assertThat(this.past.find(Sessions.newKey(), HistoryPoint.NEWEST, EventWindow.ALL)).isEmpty();
		assertThat(this.past.find(name, HistoryPoint.NEWEST, EventWindow.ALL)).isPresent();
	}

	@Test
	void initialStateIsRemovedWithSession() {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.with(name, "{\"a\":1}"));
		this.store.delete(name, Precondition.NONE);
		this.store.create(Sessions.with(name, "{\"b\":1}"));
		assertThat(at(name, 0).session().state()).containsOnlyKeys("b");
		this.store.erase(name.user());
		assertThat(this.jdbc.queryForObject("select count(*) from initial_state where session_key = ?", Integer.class,
				StoredKey.of(this.jdbc, name)))
			.isZero();
	}

	private PastSession at(SessionName name, long seq) {
		return this.past.find(name, HistoryPoint.after(seq), EventWindow.NONE).orElseThrow();
	}

	private Map<String, JsonText> ownStateOf(SessionName name) {
		Map<String, JsonText> own = new TreeMap<>(stateOf(name));
		own.keySet().removeIf(PastStateTests::isShared);
		return own;
	}

	private static boolean isShared(String name) {
		return name.startsWith("user:") || name.startsWith("app:");
	}

	private static Map<String, Long> seqs(PastSession session) {
		Map<String, Long> seqs = new LinkedHashMap<>();
		session.sources().forEach((key, source) -> seqs.put(key, source.seq()));
		return seqs;
	}

	private static NewEvent event(Random random, int number) {
		String text = VALUES.get(random.nextInt(VALUES.size()));
		String delta = new JsonObject("", random(random, true)).toJson().text();
		String actions = (number % 7 == 0) ? "" : ",\"actions\":{\"x\":%s,\"%s\":%s}".formatted(text,
				(number % 2 == 0) ? "stateDelta" : "state_delta", (number % 5 == 0) ? "null" : delta);
		return Events.event("{\"id\":\"e%d\",\"author\":\"a\",\"stateDelta\":{\"wrong\":1},\"y\":%s%s}"
			.formatted(number, text, actions));
	}

	private static Map<String, JsonText> random(Random random, boolean removing) {
		Map<String, JsonText> changes = new LinkedHashMap<>();
		for (int count = random.nextInt(4); count > 0; count--) {
			JsonText value = new JsonText(VALUES.get(random.nextInt(VALUES.size())));
			if (removing || !RemovalMarker.is(value)) {
				changes.put(KEYS.get(random.nextInt(KEYS.size())), value);
			}
		}
		return changes;
	}

}
