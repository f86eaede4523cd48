package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.NewEvent;

/** Appending an event: its place in the history and its time. */
interface AppendContract extends StoreUnderTest {

	@Test
	default void storesAnEventAsItCame() {
		SessionKey key = newSession();
		NewEvent event = Events
			.event("""
					{"id":"e1","author":"agent","invocation_id":"i1","content":{"parts":[{"text":"Hi"}]},"x_y":{"Z":[1.0]}}""");
		Event stored = store(key, event);
		assertThat(stored.id()).isEqualTo("e1");
		assertThat(stored.body()).isEqualTo(event.body());
		assertThat(read(key).events()).containsExactly(stored);
		assertThat(store().event(key, "e1")).contains(stored);
	}

	@Test
	default void numbersEventsWithoutGap() {
		SessionKey key = newSession();
		storeMany(key, 20);
		assertThat(read(key).events()).extracting(Event::seq)
			.containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
		assertThat(read(key).revision()).isEqualTo(20);
	}

	@Test
	default void leavesNoGapForWhatIsRefused() {
		SessionKey key = newSession();
		store(key, Events.id("e1"));
		Session before = read(key);
		assertStale(before, 0, () -> store().append(key, Events.append(Events.id("e2"), 0)));
		assertConflict("e1",
				() -> store().append(key, Events.append(Events.event("{\"id\":\"e1\",\"author\":\"other\"}"))));
		assertThat(store(key, Events.id("e3")).seq()).isEqualTo(2);
	}

	@Test
	default void goesOnAfterTheFirstEvents() {
		SessionKey key = Sessions.newKey();
		Session created = store().create(Sessions.with(key, "{}", "{\"id\":\"e1\"}", "{\"id\":\"e2\"}"));
		Event third = store(key, Events.id("e3"));
		assertThat(third.seq()).isEqualTo(3);
		assertThat(third.commitTime()).isAfter(created.lastUpdateTime());
	}

	@Test
	default void movesLastUpdateTimeOnWithEveryEvent() {
		SessionKey key = newSession();
		Instant created = read(key).lastUpdateTime();
		storeMany(key, 50);
		assertThat(read(key).events()).extracting(Event::commitTime)
			.allMatch((time) -> time.isAfter(created))
			.isSorted()
			.doesNotHaveDuplicates()
			.endsWith(read(key).lastUpdateTime());
		assertThat(read(key).lastUpdateTime().getNano() % 1000).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "0001-01-01T00:00:00Z", "1969-12-31T23:59:59.5Z", "9999-12-31T23:59:59Z" })
	default void ignoresTheClockOfTheSender(String timestamp) {
		SessionKey key = newSession();
		Instant before = read(key).lastUpdateTime();
		Event event = store(key, Events.event("{\"id\":\"e1\",\"timestamp\":\"" + timestamp + "\"}"));
		assertThat(event.commitTime()).isAfter(before).isBefore(Instant.now().plus(Duration.ofMinutes(1)));
		assertThat(read(key).lastUpdateTime()).isEqualTo(event.commitTime());
		assertThat(read(key).createTime()).isEqualTo(before);
	}

	@Test
	default void appendsToNothingThatIsNotThere() {
		SessionKey missing = Sessions.newKey();
		NewEvent event = Events.delta("{\"a\":1,\"user:b\":2,\"app:c\":3}");
		assertNotFound(() -> store().append(missing, Events.append(event)));
		assertNotFound(() -> store().append(missing, Events.append(event, 0)));
		assertThat(store().find(missing, EventWindow.ALL)).isEmpty();
		assertThat(store().state(missing.user())).isEmpty();
		assertThat(store().state(missing.app())).isEmpty();
	}

	@Test
	default void appendsToNobodyElsesSession() {
		SessionKey key = newSession();
		AppendRequest append = Events.append(Events.id("e1"));
		assertNotFound(() -> store().append(Sessions.ofUser(key, "bob"), append));
		assertThat(read(key).revision()).isZero();
	}

	@Test
	default void describesTheSessionWithTheEvent() {
		SessionKey key = newSession();
		SessionDetails details = new SessionDetails("Holiday", Map.of("a", "1"));
		store().append(key, new AppendRequest(Events.id("e1"), Precondition.NONE, details));
		assertThat(read(key).details()).isEqualTo(details);
		assertThat(read(key).revision()).isEqualTo(1);
	}

	@Test
	default void describesNothingWithAnEventThatIsRefused() {
		SessionKey key = newSession();
		SessionDetails details = new SessionDetails("Holiday", Map.of());
		assertStale(read(key), 0,
				() -> store().append(key, new AppendRequest(Events.id("e1"), new Precondition(7L, null), details)));
		assertThat(read(key).details()).isEqualTo(SessionDetails.NONE);
	}

}
