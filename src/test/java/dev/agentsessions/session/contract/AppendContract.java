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
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;

/** Appending an event: its place in the history and its time. */
interface AppendContract extends StoreUnderTest {

	@Test
	default void storesAnEventAsItCame() {
		SessionName name = newSession();
		NewEvent event = Events
			.event("""
					{"id":"e1","author":"agent","invocation_id":"i1","content":{"parts":[{"text":"Hi"}]},"x_y":{"Z":[1.0]}}""");
		Event stored = store(name, event);
		assertThat(stored.id()).isEqualTo("e1");
		assertThat(stored.body()).isEqualTo(event.body());
		assertThat(read(name).events()).containsExactly(stored);
		assertThat(store().event(name, "e1")).contains(stored);
	}

	@Test
	default void numbersEventsWithoutGap() {
		SessionName name = newSession();
		storeMany(name, 20);
		assertThat(read(name).events()).extracting(Event::seq)
			.containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
		assertThat(read(name).revision()).isEqualTo(20);
	}

	@Test
	default void leavesNoGapForWhatIsRefused() {
		SessionName name = newSession();
		store(name, Events.id("e1"));
		Session before = read(name);
		assertStale(before, 0, () -> store().append(name, Events.append(Events.id("e2"), 0)));
		assertConflict("e1",
				() -> store().append(name, Events.append(Events.event("{\"id\":\"e1\",\"author\":\"other\"}"))));
		assertThat(store(name, Events.id("e3")).seq()).isEqualTo(2);
	}

	@Test
	default void goesOnAfterTheFirstEvents() {
		SessionName name = Sessions.newKey();
		Session created = store().create(Sessions.with(name, "{}", "{\"id\":\"e1\"}", "{\"id\":\"e2\"}"));
		Event third = store(name, Events.id("e3"));
		assertThat(third.seq()).isEqualTo(3);
		assertThat(third.commitTime()).isAfter(created.lastUpdateTime());
	}

	@Test
	default void movesLastUpdateTimeOnWithEveryEvent() {
		SessionName name = newSession();
		Instant created = read(name).lastUpdateTime();
		storeMany(name, 50);
		assertThat(read(name).events()).extracting(Event::commitTime)
			.allMatch((time) -> time.isAfter(created))
			.isSorted()
			.doesNotHaveDuplicates()
			.endsWith(read(name).lastUpdateTime());
		assertThat(read(name).lastUpdateTime().getNano() % 1000).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "0001-01-01T00:00:00Z", "1969-12-31T23:59:59.5Z", "9999-12-31T23:59:59Z" })
	default void ignoresTheClockOfTheSender(String timestamp) {
		SessionName name = newSession();
		Instant before = read(name).lastUpdateTime();
		Event event = store(name, Events.event("{\"id\":\"e1\",\"timestamp\":\"" + timestamp + "\"}"));
		assertThat(event.commitTime()).isAfter(before).isBefore(Instant.now().plus(Duration.ofMinutes(1)));
		assertThat(read(name).lastUpdateTime()).isEqualTo(event.commitTime());
		assertThat(read(name).createTime()).isEqualTo(before);
	}

	@Test
	default void appendsToNothingThatIsNotThere() {
		SessionName missing = Sessions.newKey();
		NewEvent event = Events.delta("{\"a\":1,\"user:b\":2,\"app:c\":3}");
		assertNotFound(() -> store().append(missing, Events.append(event)));
		assertNotFound(() -> store().append(missing, Events.append(event, 0)));
		assertThat(store().find(missing, EventWindow.ALL)).isEmpty();
		assertThat(store().state(missing.user())).isEmpty();
		assertThat(store().state(missing.app())).isEmpty();
	}

	@Test
	default void appendsToNobodyElsesSession() {
		SessionName name = newSession();
		AppendRequest append = Events.append(Events.id("e1"));
		assertNotFound(() -> store().append(Sessions.ofUser(name, "bob"), append));
		assertThat(read(name).revision()).isZero();
	}

	@Test
	default void describesTheSessionWithTheEvent() {
		SessionName name = newSession();
		SessionDetails details = new SessionDetails("Holiday", Map.of("a", "1"));
		store().append(name, new AppendRequest(Events.id("e1"), Precondition.NONE, details));
		assertThat(read(name).details()).isEqualTo(details);
		assertThat(read(name).revision()).isEqualTo(1);
	}

	@Test
	default void describesNothingWithAnEventThatIsRefused() {
		SessionName name = newSession();
		SessionDetails details = new SessionDetails("Holiday", Map.of());
		assertStale(read(name), 0,
				() -> store().append(name, new AppendRequest(Events.id("e1"), new Precondition(7L, null), details)));
		assertThat(read(name).details()).isEqualTo(SessionDetails.NONE);
	}

}
